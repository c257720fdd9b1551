import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { NotFilled } from "../../store-errors.ts";
import { FILLING } from "./layout.ts";
import { createFile, syncDirectory } from "./output-file.ts";

/** Marks a directory while it is filled, so that one filled in part is never opened as a store. */
export function fillingOf(directory: string) {
  const path = join(directory, FILLING);
  return {
    /** @throws NotFilled */
    check(): void {
      // The message does not suggest removing the directory: an earlier store may be set aside in it.
      if (existsSync(path)) throw new NotFilled(directory, "fill another that is empty");
    },
    async during(fill: () => Promise<void>): Promise<void> {
      await createFile(path, "");
      await syncDirectory(directory);
      await fill();
      await rm(path);
      await syncDirectory(directory);
    },
  };
}

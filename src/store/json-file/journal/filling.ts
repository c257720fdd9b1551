import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { NotFilled } from "../../store-errors.ts";
import { FILLING } from "./layout.ts";
import { createFile, syncDirectory } from "./output-file.ts";

/** Keeps a directory that was filled in part, when that was ended, from being taken for a whole store. */
export function fillingOf(directory: string) {
  const path = join(directory, FILLING);
  return {
    /** @throws NotFilled */
    check(): void {
      // Not that it may be removed: what was there before may be set aside in it.
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

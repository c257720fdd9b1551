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
      if (existsSync(path)) throw new NotFilled(directory);
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

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
    isMarked: () => existsSync(path),
    /** @throws NotFilled */
    check(): void {
      // The message does not suggest removing the directory: an earlier store may be set aside in it.
      if (existsSync(path)) {
        throw new NotFilled(directory, `move the files of a before-… in it back, and remove ${FILLING}`);
      }
    },
    async mark(): Promise<void> {
      await createFile(path, "");
      await syncDirectory(directory);
    },
    async unmark(): Promise<void> {
      await rm(path, { force: true });
      await syncDirectory(directory);
    },
  };
}

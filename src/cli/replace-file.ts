import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectory } from "../system/make-directory.ts";

/**
 * Writes a file atomically: it holds the old text or the new one, also after a kill or on a full disk. Keeps its mode.
 *
 * @param file not a symbolic link, which would become a file
 */
export function replaceFile(file: string, text: string): void {
  makeDirectory(dirname(file), 0o777);
  const before = statSync(file, { throwIfNoEntry: false });
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    if (before) chmodSync(temporary, before.mode & 0o777);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

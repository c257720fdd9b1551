import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectory } from "../system/files/make-directory.ts";

/**
 * Writes a file atomically: it holds the old text or the new one, also after a kill or on a full disk. Keeps its mode.
 *
 * @param file not a symbolic link, which would become a file
 */
export function replaceFile(file: string, text: string): void {
  makeDirectory(dirname(file), 0o777);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const temporary = `${file}.${process.pid}.tmp`;
  // What a killed process left, or a link that somebody put there.
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: mode ?? 0o666 });
    if (mode !== undefined) chmodSync(temporary, mode & 0o777);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

import { copyFileSync, existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { iso } from "../../system/clock.ts";
import { makeDirectory } from "../../system/make-directory.ts";

export function backUp(file: string, dataDirectory: string, now: number): string {
  const directory = join(dataDirectory, "backups");
  makeDirectory(directory, 0o700);
  const copy = join(directory, `${basename(file)}.${iso(now).replaceAll(/[:.]/g, "-")}`);
  copyFileSync(file, copy);
  return copy;
}

/** Writes a file atomically and keeps its mode. */
export function writeConfig(file: string, text: string): void {
  makeDirectory(dirname(file), 0o777);
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o644;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, file);
}

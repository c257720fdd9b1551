import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { iso } from "../../system/clock.ts";
import { makeDirectory } from "../../system/files/make-directory.ts";

export function backUp(file: string, dataDirectory: string, now: number): string {
  const directory = join(dataDirectory, "backups");
  makeDirectory(directory, 0o700);
  const copy = join(directory, `${basename(file)}.${iso(now).replaceAll(/[:.]/g, "-")}`);
  copyFileSync(file, copy);
  return copy;
}

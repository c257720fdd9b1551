import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../support/store.ts";

/** Creates a directory with these files, which is removed after the test. */
export function directoryWith(files: Record<string, string | Buffer>): string {
  const directory = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return directory;
}

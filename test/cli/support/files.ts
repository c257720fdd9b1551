import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the contents of all files below a directory. */
export function everythingIn(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

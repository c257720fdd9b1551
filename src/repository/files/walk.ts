import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readTextFile } from "../../system/files/text-file.ts";
import { type Ignore, ignoreOf } from "./gitignore.ts";
import { isGitDirectory } from "./work-tree.ts";

/** Deeper directories are not read. */
const MAX_DEPTH = 64;
/** Installed or generated, and skipped even where no `.gitignore` names them. */
const SKIPPED = new Set(["node_modules", "__pycache__", "venv", "site-packages"]);
/** Hidden directories with files that people write. All others are skipped. */
const WRITTEN = new Set([
  ".circleci",
  ".devcontainer",
  ".forgejo",
  ".gitea",
  ".github",
  ".gitlab",
  ".husky",
  ".vscode",
]);

/**
 * Returns the files below a directory that no `.gitignore` in it excludes, sorted, at most `limit`. Leaves out links,
 * bare repositories, hidden directories other than those in `WRITTEN`, and those that may not be read. Throws the
 * operating system's error where that is so of `top`.
 */
export function walk(top: string, limit: number): string[] {
  const paths: string[] = [];
  const into = (prefix: string, above: readonly Ignore[], depth: number): void => {
    if (isGitDirectory(join(top, prefix))) return;
    const entries = prefix === "" ? entriesOf(top) : readableIn(join(top, prefix));
    const ignores = entries.some(({ name }) => name === ".gitignore")
      ? [...above, ignoreOf(textOf(join(top, prefix, ".gitignore")), prefix)]
      : above;
    for (const entry of entries) {
      if (paths.length >= limit) return;
      const isDirectory = entry.isDirectory();
      if (SKIPPED.has(entry.name)) continue;
      if (isDirectory && entry.name.startsWith(".") && !WRITTEN.has(entry.name)) continue;
      const path = prefix + entry.name;
      if (ignores.findLast((ignore) => ignore(path, isDirectory) !== undefined)?.(path, isDirectory))
        continue;
      if (isDirectory && depth < MAX_DEPTH) into(`${path}/`, ignores, depth + 1);
      else if (entry.isFile()) paths.push(path);
    }
  };
  into("", [], 0);
  return paths.sort();
}

const entriesOf = (directory: string) => readdirSync(directory, { withFileTypes: true });

function readableIn(directory: string) {
  try {
    return entriesOf(directory);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readTextFile(file).slice(0, 1 << 16);
  } catch {
    return "";
  }
}

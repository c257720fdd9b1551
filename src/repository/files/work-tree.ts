import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OperationalError } from "../../system/operational-error.ts";

/**
 * Throws `OperationalError` in a bare repository or a `.git` directory: nobody has written the files there. Returns the
 * nearest directory with a `.git`, whatever that is worth; undefined if there is none.
 */
export function requireWorkTree(directory: string): string | undefined {
  let at = resolve(directory);
  for (; !existsSync(join(at, ".git")); at = dirname(at)) {
    if (isGitDirectory(at)) {
      throw new OperationalError(
        `${at} holds git's own files, and no work tree. Start it in a work tree of that repository.`,
      );
    }
    if (at === dirname(at)) return undefined;
  }
  return at;
}

/** Whether git would take a directory for a repository. Does not ask git, which may be missing or refuse to answer. */
export function isGitDirectory(path: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(path, name)));
}

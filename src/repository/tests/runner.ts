import { posix } from "node:path";
import type { Repository } from "../repository.ts";

/** What runs some tests of one kind, from its directory. */
export interface Runner {
  directory: string;
  /** Paths are from the directory; empty where all tests are meant. */
  command(paths: readonly string[]): string;
}

/** The nearest directory upwards that has one of these files. */
export function above(
  { files }: Pick<Repository, "files">,
  path: string,
  names: readonly string[],
): string | undefined {
  for (let at = posix.dirname(path); ; at = posix.dirname(at)) {
    if (names.some((name) => files.has(posix.join(at, name)))) return at;
    if (at === ".") return undefined;
  }
}

/** As one word of a shell, and no option. */
export function quoted(word: string): string {
  const safe = word.startsWith("-") ? `./${word}` : word;
  return /^[\w./@:+,=-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}

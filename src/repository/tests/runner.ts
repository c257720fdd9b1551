import { posix } from "node:path";
import { nearest } from "../files/nearest.ts";
import type { Repository } from "../repository.ts";

/** A way to run tests of one kind, from its directory. */
export interface Runner {
  directory: string;
  /** What the command names for a test, if not its path: a package. */
  nameOf?(path: string): string;
  /** Returns the command for paths relative to the directory, or their names. Without any, it runs all tests. */
  command(names: readonly string[]): string;
}

/** Returns the nearest directory upwards that contains one of these files. */
export function above(
  { files }: Pick<Repository, "files">,
  path: string,
  names: readonly string[],
): string | undefined {
  return nearest({ has: (at) => names.some((name) => files.has(posix.join(at, name))) }, path);
}

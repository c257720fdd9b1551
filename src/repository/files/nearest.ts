import { posix } from "node:path";

/** Returns the nearest of some directories that a file is in, at any depth; `.` is the top. */
export function nearest(directories: { has(directory: string): boolean }, file: string): string | undefined {
  for (let at = posix.dirname(file); ; at = posix.dirname(at)) {
    if (directories.has(at)) return at;
    if (at === ".") return undefined;
  }
}

/** Yields a directory and those around it, up to the top. */
export function* outward(directory: string): Generator<string> {
  for (let at = directory; at !== "."; at = posix.dirname(at)) yield at;
  yield ".";
}

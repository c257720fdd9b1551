import { readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../system/files/make-directory.ts";

/**
 * Small files that only their user can read: mode 0600, in directories of 0700. Everything is synchronous, because
 * loading `node:fs/promises` takes longer than any of these calls.
 */

/** Returns the sorted names in a directory, empty if it does not exist. Names that start with an id sort by age. */
export function list(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Returns the text of a file; undefined if it does not exist. */
export function read(directory: string, name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    // The error of a directory names no path.
    throw Object.assign(error as Error, { path: join(directory, name) });
  }
}

/** Returns the JSON in a file; undefined if it does not exist or is damaged. */
export function readJson<T>(directory: string, name: string): T | undefined {
  try {
    return JSON.parse(read(directory, name) ?? "") as T;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Writes atomically: the file is complete or unchanged, even if the process is killed. */
export function writeJson(directory: string, name: string, value: unknown): void {
  makeDirectory(directory, 0o700);
  const path = join(directory, name);
  const temporary = `${path}.${process.pid}${TEMPORARY}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // The error of a full disk names no path.
    throw Object.assign(error as Error, { path });
  }
}

/** Suffix of the temporary file that a killed `writeJson` leaves behind. */
export const TEMPORARY = ".tmp";

/** Deletes a file if it exists. */
export function remove(directory: string, name: string): void {
  try {
    unlinkSync(join(directory, name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Renames a file if it exists. */
export function rename(directory: string, from: string, to: string): void {
  move(join(directory, from), join(directory, to));
}

/** Moves a file, by its paths, if it exists. */
export function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Includes ENOTDIR, because the home of service users is often /dev/null. */
function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

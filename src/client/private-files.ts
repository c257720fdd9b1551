import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Small files that their user alone can read: 0600, in directories of 0700. All of it is synchronous, since
 * loading `node:fs/promises` takes longer than any of these calls.
 */

/** Names in the directory, sorted, which for our ids is by age; none where there is no directory. */
export function list(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export function makeDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/** The text of a file; undefined where there is none. */
export function read(directory: string, name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The JSON in a file; undefined where there is none or where it is damaged. */
export function readJson<T>(directory: string, name: string): T | undefined {
  try {
    return JSON.parse(read(directory, name) ?? "") as T;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whole or not at all, whenever the process ends. */
export function writeJson(directory: string, name: string, value: unknown): void {
  makeDirectory(directory);
  const path = join(directory, name);
  const temporary = `${path}.${process.pid}${TEMPORARY}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // A full disk has no path of its own.
    throw Object.assign(error as Error, { path });
  }
}

/** What a killed process leaves of `writeJson`. */
export const TEMPORARY = ".tmp";

/** Where it is there. */
export function remove(directory: string, name: string): void {
  try {
    unlinkSync(join(directory, name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Where it is there. */
export function rename(directory: string, from: string, to: string): void {
  try {
    renameSync(join(directory, from), join(directory, to));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Users of services often have /dev/null for their home: nothing is below it. */
function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}

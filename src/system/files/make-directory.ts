import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { OperationalError } from "../operational-error.ts";

/**
 * Creates a directory and its missing parents. Node's own `recursive` loops forever on a file system that reports an
 * existing parent as missing, such as /proc. Synchronous, since loading `node:fs/promises` takes a command longer.
 *
 * @param mode the mode of each directory that is created.
 */
export function makeDirectory(path: string, mode: number): void {
  if (tryMaking(path, mode) !== "ENOENT" || dirname(path) === path) return;
  makeDirectory(dirname(path), mode);
  if (tryMaking(path, mode) !== "ENOENT") return;
  throw new OperationalError(`${path} cannot be made: no directories can be made in ${dirname(path)}`);
}

function tryMaking(path: string, mode: number): "made" | "EEXIST" | "ENOENT" {
  try {
    mkdirSync(path, { mode });
    return "made";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
    if (code === "EEXIST" && !statSync(path).isDirectory()) {
      throw new OperationalError(
        `${path} is a file, and has to be a directory: choose another, or move it away`,
      );
    }
    return code;
  }
}

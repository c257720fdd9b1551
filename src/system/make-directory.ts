import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { OperationalError } from "./operational-error.ts";

/**
 * Creates a directory and its missing parents. Node's own `recursive` loops forever on a file system that reports an
 * existing parent as missing, such as /proc.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  if ((await tryMaking(path, mode)) !== "ENOENT" || dirname(path) === path) return;
  await makeDirectory(dirname(path), mode);
  if ((await tryMaking(path, mode)) !== "ENOENT") return;
  throw new OperationalError(`${path} cannot be made: no directories can be made in ${dirname(path)}`);
}

async function tryMaking(path: string, mode: number): Promise<"made" | "EEXIST" | "ENOENT"> {
  try {
    await mkdir(path, { mode });
    return "made";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || (code === "EEXIST" && (await stat(path)).isDirectory())) return code;
    throw error;
  }
}

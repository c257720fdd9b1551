import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const DATA = process.env.EVAL_DATA ?? join(import.meta.dirname, "../../../shared/data");

/** Returns the path of a file of external data: in the folder that `EVAL_DATA` names, else beside this repository. */
export function dataFile(folder: string, name: string): string {
  return join(DATA, folder, name);
}

/** Reads a gzipped file. Returns undefined, and prints a message, if it is missing. */
export function readText(folder: string, name: string): string | undefined {
  const file = dataFile(folder, `${name}.gz`);
  if (existsSync(file)) return gunzipSync(readFileSync(file)).toString();
  console.log(`skipped ${name}: it is not in ${join(DATA, folder)} (EVAL_DATA names another folder)`);
  return undefined;
}

/** Reads the rows of a gzipped file of JSON lines. Returns undefined, and prints a message, if it is missing. */
export function readRows<T>(folder: string, name: string): T[] | undefined {
  const text = readText(folder, `${name}.jsonl`);
  return text === undefined ? undefined : jsonLines<T>(text);
}

export function jsonLines<T>(text: string): T[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

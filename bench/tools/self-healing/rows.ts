import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Folder of labelled data: in `EVAL_DATA`, or beside this repository. */
const DATA = join(
  process.env.EVAL_DATA ?? join(import.meta.dirname, "../../../../shared/data"),
  "02-build-logs",
);

/** Reads a file of labelled logs. Returns undefined, and prints a message, if the file is missing. */
export function readRows<T>(name: string): T[] | undefined {
  const file = join(DATA, `${name}.jsonl.gz`);
  if (!existsSync(file)) {
    console.log(`skipped ${name}: it is not in ${DATA} (EVAL_DATA names another folder)`);
    return undefined;
  }
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

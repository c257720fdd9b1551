import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "./exit-codes.ts";
import type { Io } from "./io.ts";

/** What a file holds, or stdin where it is called `-`. */
export async function readJson(io: Io, file: string): Promise<unknown> {
  const text =
    file === "-" ? await io.input.text() : await readFile(resolve(io.workingDirectory, file), "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

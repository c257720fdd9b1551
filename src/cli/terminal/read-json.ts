import { UsageError } from "../exit-codes.ts";
import { inputName, readText } from "./input.ts";
import type { Io } from "./io.ts";

/** Parses a JSON file, or stdin (`-`). Throws `UsageError`, also if it is larger than `maxBytes`. */
export async function readJson(io: Io, file: string, maxBytes?: number): Promise<unknown> {
  const text = await readText(io, file, maxBytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${inputName(file)} is not valid JSON: ${(error as Error).message}`);
  }
}

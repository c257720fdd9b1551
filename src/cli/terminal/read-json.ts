import { UsageError } from "../exit-codes.ts";
import { inputName, readText } from "./input.ts";
import type { Io } from "./io.ts";

/** Parses a JSON file, or stdin (`-`). Throws `UsageError`. */
export async function readJson(io: Io, file: string): Promise<unknown> {
  const text = await readText(io, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${inputName(file)} is not valid JSON: ${(error as Error).message}`);
  }
}

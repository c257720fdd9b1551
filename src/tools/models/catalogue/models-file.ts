import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The catalogue cannot be used; the message names the file and what is wrong with it. */
export class InvalidModels extends Error {
  constructor(file: string, faults: string, options?: ErrorOptions) {
    super(`The models file ${file} cannot be used: ${faults}`, options);
    this.name = "InvalidModels";
  }
}

/** Reads a file of JSON or JSON Lines, optionally gzipped. Throws `InvalidModels`. */
export function readModelsFile(file: string): unknown {
  return parse(file, read(file));
}

function read(file: string): string {
  try {
    const bytes = readFileSync(file);
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    throw new InvalidModels(file, (error as Error).message, { cause: error });
  }
}

/** Parses one JSON document, or one per line. */
function parse(file: string, text: string): unknown {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const oneALine = isObject(lines[0]) && isObject(lines[1]);
  if (!oneALine) return parseJson(file, text);
  return lines.map((line, index) => parseJson(file, line, `line ${index + 1}: `));
}

function isObject(line = ""): boolean {
  return /^\s*\{.*\}\s*$/.test(line);
}

function parseJson(file: string, text: string, where = ""): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidModels(file, where + (error as Error).message, { cause: error });
  }
}

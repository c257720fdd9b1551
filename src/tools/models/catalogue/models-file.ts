import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { decodeText } from "../../../system/files/text-file.ts";

/** The catalogue cannot be used; the message names the file and what is wrong with it. */
export class InvalidModels extends Error {
  constructor(file: string, faults: string, options?: ErrorOptions) {
    super(`The models file ${file} cannot be used: ${faults}`, options);
    this.name = "InvalidModels";
  }
}

/** What a file holds. Of JSON Lines, `lines` says on which line each row stands. */
type Content = { content: unknown; lines?: number[] };

/** Reads a file of JSON or JSON Lines, optionally gzipped. Throws `InvalidModels`. */
export function readModelsFile(file: string): Content {
  return parse(file, read(file));
}

function read(file: string): string {
  try {
    const bytes = readFileSync(file);
    return decodeText(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
  } catch (error) {
    throw new InvalidModels(file, (error as Error).message, { cause: error });
  }
}

/** Parses one JSON document, or one per line. */
function parse(file: string, text: string): Content {
  const rows = text
    .split("\n")
    .map((row, index) => ({ row, line: index + 1 }))
    .filter(({ row }) => row.trim() !== "");
  // Either of the first two lines may be the broken one.
  const objects = rows.length > 1 && /^\s*\{/.test(rows[0]?.row ?? "");
  const oneALine = objects && rows.slice(0, 2).some(({ row }) => isObject(row));
  if (!oneALine) return { content: parseJson(file, text) };
  return {
    content: rows.map(({ row, line }) => parseJson(file, row, `line ${line}: `)),
    lines: rows.map(({ line }) => line),
  };
}

function isObject(row: string): boolean {
  return /^\s*\{.*\}\s*$/.test(row);
}

function parseJson(file: string, text: string, where = ""): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidModels(file, where + (error as Error).message, { cause: error });
  }
}

import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../exit-codes.ts";
import type { Io } from "./io.ts";
import { inUtf8 } from "./utf16.ts";

/** The largest request that a server accepts. */
const MAX_INPUT_BYTES = 64 << 20;
const PIECE_BYTES = 1 << 20;

/** Returns the name of an input for messages. */
export function inputName(file: string): string {
  return file === "-" ? "stdin" : file;
}

/**
 * Reads a file, or stdin (`-`), in UTF-8 or UTF-16, and returns the text without a byte order mark. Throws
 * `UsageError` if it is larger than `maxBytes`.
 */
export async function readText(io: Io, file: string, maxBytes = MAX_INPUT_BYTES): Promise<string> {
  return new TextDecoder().decode(await readUpTo(textOf(io, file), inputName(file), maxBytes));
}

/** Returns the text that words on the command line make up, or reads it from stdin if they are `-` alone. */
export async function textOfWords(io: Io, words: readonly string[]): Promise<string> {
  const text = words.join(" ");
  return text === "-" ? readText(io, "-") : text;
}

/** Reads as `readText` does, but returns the bytes unchanged. */
export function readBytes(io: Io, file: string, maxBytes = MAX_INPUT_BYTES): Promise<Buffer> {
  return readUpTo(piecesOf(io, file), inputName(file), maxBytes);
}

async function readUpTo(pieces: AsyncIterable<Buffer>, name: string, maxBytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxBytes) {
      throw new UsageError(`${name} holds more than ${maxBytes >> 20} MiB.`, "Give less of it, or in parts.");
    }
    kept.push(piece);
  }
  return Buffer.concat(kept, length);
}

/** The end of a file or stdin, from the beginning of a line unless the last line is too long. */
export interface End {
  text: string;
  /** The number of lines before it. */
  skipped: number;
}

/** Reads an input of any length to its end, and keeps at most about `maxBytes` of it in memory. */
export async function readEnd(pieces: AsyncIterable<Buffer>, maxBytes: number): Promise<End> {
  const kept: Buffer[] = [];
  let length = 0;
  let skipped = 0;
  /** The last discarded byte. */
  let before: number | undefined;
  for await (const piece of pieces) {
    kept.push(piece);
    length += piece.length;
    for (let oldest = kept[0]; oldest && length - oldest.length >= maxBytes; oldest = kept[0]) {
      skipped += lineEndsIn(oldest, before);
      before = oldest.at(-1);
      length -= oldest.length;
      kept.shift();
    }
  }
  const end = Buffer.concat(kept, length);
  if (before === undefined && length <= maxBytes) return { text: end.toString("utf8"), skipped };
  const cut = length - maxBytes;
  const lineEnd = end.indexOf(LINE_FEED, cut);
  // The last line may be longer than the bound. Its end is more than nothing.
  const isWithinLine = lineEnd < 0 || lineEnd === end.length - 1;
  const from = isWithinLine ? cut : lineEnd + 1;
  skipped += lineEndsIn(end.subarray(0, from), before);
  return { text: end.toString("utf8", from), skipped };
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Counts line ends: `\n`, `\r` and `\r\n`. `before` is the byte before the first one. */
function lineEndsIn(bytes: Buffer, before: number | undefined): number {
  let ends = 0;
  if (!bytes.includes(CARRIAGE_RETURN)) {
    // Ten times as fast, which matters for gigabytes.
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) ends++;
    return before === CARRIAGE_RETURN && bytes[0] === LINE_FEED ? ends - 1 : ends;
  }
  let previous = before;
  for (const byte of bytes) {
    if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && previous !== CARRIAGE_RETURN)) ends++;
    previous = byte;
  }
  return ends;
}

/** Streams a file, or stdin (`-`), in UTF-8. */
export function textOf(io: Io, file: string): AsyncIterable<Buffer> {
  return inUtf8(piecesOf(io, file));
}

function piecesOf(io: Io, file: string): AsyncIterable<Buffer> {
  if (file === "-") return io.input.pieces();
  const pieces = createReadStream(resolve(io.workingDirectory, file), { highWaterMark: PIECE_BYTES });
  // A directory can be opened but not read, and the error of the read names no path.
  return pieces.on("error", (error: NodeJS.ErrnoException) => {
    error.path ??= file;
  });
}

import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { type End, readEnd } from "../../terminal/input.ts";
import type { Io } from "../../terminal/io.ts";
import { inUtf8 } from "./utf16.ts";

const PIECE_BYTES = 1 << 20;

/** The end of a log, of a file or of stdin where that is called `-`, in whatever encoding of Unicode. */
export function readLog(io: Io, file: string, maxBytes: number): Promise<End> {
  const path = resolve(io.workingDirectory, file);
  const bytes = file === "-" ? io.input.pieces() : createReadStream(path, { highWaterMark: PIECE_BYTES });
  // Nothing else of either is read, which would open the streams that they stand for.
  const input = Object.create(io.input, { pieces: { value: () => inUtf8(bytes) } });
  return readEnd(Object.create(io, { input: { value: input } }), "-", maxBytes);
}

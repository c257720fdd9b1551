import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { OperationalError } from "../../../system/operational-error.ts";

const NEWLINE = 0x0a;
const STEP = 1 << 20;

/**
 * Reads a file sequentially in large steps, never holding all of it. Reads what the file contained when it was opened,
 * even if it is appended to, renamed or removed meanwhile.
 */
export class InputFile {
  /** Position in the file of the next `peek`. */
  offset = 0;
  #buffer = Buffer.allocUnsafe(STEP);
  #start = 0;
  #end = 0;

  constructor(
    readonly path: string,
    readonly descriptor = openForReading(path),
    readonly size = fstatSync(descriptor).size,
  ) {}

  /** Returns a reader of the same file from its beginning. */
  again(): InputFile {
    return new InputFile(this.path, this.descriptor, this.size);
  }

  /** Returns the next `most` bytes, fewer at the end of the file. They are valid until the next call. */
  peek(most: number): Buffer {
    // A damaged header may claim more bytes than there are.
    const length = Math.min(most, this.size - this.offset);
    if (this.#start + length > this.#buffer.length) this.#makeRoom(length);
    while (this.#end - this.#start < length) {
      const position = this.offset + this.#end - this.#start;
      const room = Math.min(this.#buffer.length - this.#end, this.size - position);
      const read = readSync(this.descriptor, this.#buffer, this.#end, room, position);
      // The file was truncated after it was opened.
      if (read === 0) break;
      this.#end += read;
    }
    return this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + length));
  }

  /** Advances past bytes that were peeked at. */
  skip(length: number): void {
    this.#start += length;
    this.offset += length;
  }

  /** Returns the next line with its newline; undefined if none ends within `longest` bytes. */
  peekLine(longest: number): string | undefined {
    const bytes = this.peek(longest);
    const newline = bytes.indexOf(NEWLINE);
    return newline === -1 ? undefined : bytes.toString("utf8", 0, newline + 1);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #makeRoom(length: number): void {
    const target = length > this.#buffer.length ? Buffer.allocUnsafe(length + STEP) : this.#buffer;
    this.#buffer.copy(target, 0, this.#start, this.#end);
    this.#buffer = target;
    this.#end -= this.#start;
    this.#start = 0;
  }
}

/** Without waiting for the writer of a pipe, which opens like a file, as a directory does. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function openForReading(path: string): number {
  const descriptor = openSync(path, FLAGS);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new OperationalError(
    `${path} is not a file. Nothing was changed: move it away and, if there was such a file, ` +
      "restore the data directory from a backup.",
  );
}

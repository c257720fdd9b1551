import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const NEWLINE = 0x0a;
const STEP = 1 << 20;

/**
 * Reads a file forwards, in large steps and without ever holding all of it: as it was when it was opened, whatever
 * is appended meanwhile and whether or not it is renamed or removed.
 */
export class InputFile {
  /** Where in the file the next `take` begins. */
  offset = 0;
  #buffer = Buffer.allocUnsafe(STEP);
  #start = 0;
  #end = 0;

  constructor(
    readonly path: string,
    readonly descriptor = openSync(path, "r"),
    readonly size = fstatSync(descriptor).size,
  ) {}

  /** The same from its beginning. */
  again(): InputFile {
    return new InputFile(this.path, this.descriptor, this.size);
  }

  /** The next so many bytes, fewer at the end of the file. Holds good until the next call. */
  peek(most: number): Buffer {
    // Not as many as a damaged header says that there are.
    const length = Math.min(most, this.size - this.offset);
    if (this.#start + length > this.#buffer.length) this.#makeRoom(length);
    while (this.#end - this.#start < length) {
      const position = this.offset + this.#end - this.#start;
      const room = Math.min(this.#buffer.length - this.#end, this.size - position);
      const read = readSync(this.descriptor, this.#buffer, this.#end, room, position);
      // Cut off since it was opened.
      if (read === 0) break;
      this.#end += read;
    }
    return this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + length));
  }

  /** Moves on behind what was peeked at. */
  skip(length: number): void {
    this.#start += length;
    this.offset += length;
  }

  /** The next line with its newline; undefined where none ends within `longest` bytes. */
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

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const NEWLINE = 0x0a;
const STEP = 1 << 20;

/** Reads a file forwards, in large steps and without ever holding all of it. */
export class InputFile {
  readonly size: number;
  /** Where in the file the next `take` begins. */
  offset = 0;
  readonly #descriptor: number;
  #buffer = Buffer.allocUnsafe(STEP);
  #start = 0;
  #end = 0;

  constructor(readonly path: string) {
    this.#descriptor = openSync(path, "r");
    this.size = fstatSync(this.#descriptor).size;
  }

  /** The next `length` bytes, fewer at the end of the file. Holds good until the next call. */
  peek(length: number): Buffer {
    if (this.#start + length > this.#buffer.length) this.#makeRoom(length);
    while (this.#end - this.#start < length) {
      const read = readSync(this.#descriptor, this.#buffer, this.#end, this.#buffer.length - this.#end, null);
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
    closeSync(this.#descriptor);
  }

  #makeRoom(length: number): void {
    const target = length > this.#buffer.length ? Buffer.allocUnsafe(length + STEP) : this.#buffer;
    this.#buffer.copy(target, 0, this.#start, this.#end);
    this.#buffer = target;
    this.#end -= this.#start;
    this.#start = 0;
  }
}

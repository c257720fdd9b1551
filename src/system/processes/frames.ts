import { deserialize, serialize } from "node:v8";

/**
 * A message on a pipe between the server and one of its processes: two lengths of four bytes, a value serialised by
 * V8, then raw bytes. Bodies and answers are passed as raw bytes, which neither side parses and which are copied only
 * once, into their buffer.
 */
export interface Frame {
  value: unknown;
  bytes: Buffer | undefined;
}

const HEAD_BYTES = 8;

/** Returns the chunks to write to the pipe, in order. */
export function framed(value: unknown, bytes?: Uint8Array): Uint8Array[] {
  const text = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(bytes?.length ?? 0, 4);
  return bytes && bytes.length > 0 ? [head, text, bytes] : [head, text];
}

/** Reassembles frames from the chunks of a pipe. */
export class FrameReader {
  readonly #hear: (frame: Frame) => void;
  #head = new Part(HEAD_BYTES);
  #value: Part | undefined;
  #bytes: Part | undefined;

  constructor(hear: (frame: Frame) => void) {
    this.#hear = hear;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      at += (this.#value ? this.#rest(this.#value) : this.#head).take(chunk, at);
      if (!this.#value && this.#head.isWhole) {
        this.#value = new Part(this.#head.bytes.readUInt32LE(0));
        this.#bytes = new Part(this.#head.bytes.readUInt32LE(4));
        this.#head = new Part(HEAD_BYTES);
      }
      if (this.#value?.isWhole && this.#bytes?.isWhole) this.#finish(this.#value, this.#bytes);
    }
  }

  #rest(value: Part): Part {
    return value.isWhole ? (this.#bytes as Part) : value;
  }

  #finish(value: Part, { bytes }: Part): void {
    this.#value = undefined;
    this.#bytes = undefined;
    this.#hear({ value: deserialize(value.bytes), bytes: bytes.length > 0 ? bytes : undefined });
  }
}

/** A buffer of known length that is filled as chunks arrive. */
class Part {
  readonly bytes: Buffer;
  #length = 0;

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length);
  }

  get isWhole(): boolean {
    return this.#length === this.bytes.length;
  }

  /** Copies from a chunk, and returns the number of bytes copied. */
  take(chunk: Buffer, from: number): number {
    const taken = chunk.copy(this.bytes, this.#length, from);
    this.#length += taken;
    return taken;
  }
}

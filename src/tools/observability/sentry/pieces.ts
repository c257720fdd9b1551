const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Receives the bytes that are read, piece by piece. */
export type Take = (bytes: Buffer) => void;

/** Reads bytes that arrive in pieces, without having to buffer any part. */
export class Pieces {
  /** Number of bytes read so far. */
  at = 0;
  #piece: Buffer = NOTHING;
  readonly #source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether there are more bytes. Waits for the next piece if necessary. */
  async hasMore(): Promise<boolean> {
    while (this.#piece.length === 0) {
      const next = await this.#source.next();
      if (next.done) return false;
      this.#piece = next.value;
    }
    return true;
  }

  /** Reads up to the next line feed, which is consumed, or to the end. */
  async readLine(take: Take): Promise<void> {
    while (await this.hasMore()) {
      const end = this.#piece.indexOf(LINE_FEED);
      take(this.#advance(end < 0 ? this.#piece.length : end));
      if (end < 0) continue;
      this.#advance(1);
      return;
    }
  }

  /** Reads `length` bytes. Returns false if there were fewer. */
  async readBytes(length: number, take: Take): Promise<boolean> {
    let left = length;
    while (left > 0 && (await this.hasMore())) {
      const bytes = this.#advance(Math.min(left, this.#piece.length));
      left -= bytes.length;
      take(bytes);
    }
    return left === 0;
  }

  /** Skips a line feed, if that comes next. */
  async skipLineFeed(): Promise<void> {
    if ((await this.hasMore()) && this.#piece[0] === LINE_FEED) this.#advance(1);
  }

  #advance(length: number): Buffer {
    const bytes = this.#piece.subarray(0, length);
    this.#piece = this.#piece.subarray(length);
    this.at += length;
    return bytes;
  }
}

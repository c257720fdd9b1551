const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Hears of the bytes that are read, piece by piece. */
export type Take = (bytes: Buffer) => void;

/** Bytes that arrive in pieces, read in parts of which none has to be held. */
export class Pieces {
  /** Bytes that were read. */
  at = 0;
  #piece: Buffer = NOTHING;
  readonly #source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** False once all is read. */
  async hasMore(): Promise<boolean> {
    while (this.#piece.length === 0) {
      const next = await this.#source.next();
      if (next.done) return false;
      this.#piece = next.value;
    }
    return true;
  }

  /** Reads up to the next line feed, which it takes too, or to the end. */
  async readLine(take: Take): Promise<void> {
    while (await this.hasMore()) {
      const end = this.#piece.indexOf(LINE_FEED);
      take(this.#advance(end < 0 ? this.#piece.length : end));
      if (end < 0) continue;
      this.#advance(1);
      return;
    }
  }

  /** Reads so many bytes; false where there were fewer. */
  async readBytes(length: number, take: Take): Promise<boolean> {
    let left = length;
    while (left > 0 && (await this.hasMore())) {
      const bytes = this.#advance(Math.min(left, this.#piece.length));
      left -= bytes.length;
      take(bytes);
    }
    return left === 0;
  }

  /** Reads a line feed, where that comes next. */
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

/** A queue of text pieces from another process, for one reader. */
export class PieceQueue implements AsyncIterable<Buffer> {
  readonly #pieces: Buffer[] = [];
  readonly #hears: { onTaken(): void; onLeft(): void };
  #end: { error: unknown } | undefined;
  #wake = () => {};

  /**
   * @param hears `onTaken` is called after each piece was consumed, `onLeft` when the reader stops, at the end or
   * before.
   */
  constructor(hears: { onTaken(): void; onLeft(): void }) {
    this.#hears = hears;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.#wake();
  }

  /** @param error thrown to the reader instead of the rest. */
  end(error?: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece) {
          yield piece;
          this.#hears.onTaken();
        } else if (this.#end) {
          if (this.#end.error !== undefined) throw this.#end.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.#hears.onLeft();
    }
  }
}

/** Pieces of a text that come from elsewhere, for one reader. */
export class PieceQueue implements AsyncIterable<Buffer> {
  readonly #pieces: Buffer[] = [];
  readonly #hears: { onTaken(): void; onLeft(): void };
  #end: { error: unknown } | undefined;
  #wake = () => {};

  /** @param hears `onTaken` of each piece that was used up, `onLeft` where the reader goes before the end. */
  constructor(hears: { onTaken(): void; onLeft(): void }) {
    this.#hears = hears;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.#wake();
  }

  /** @param error what the reader gets in place of the rest. */
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

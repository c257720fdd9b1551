import { Transform } from "node:stream";

const LINE_FEED = 10;

/**
 * Creates a stream that passes text on in whole lines, so that the pieces of a long line are joined only once. A line
 * longer than `mostBytes` is passed on in parts, and what is left at the end as it is.
 */
export function wholeLines(mostBytes: number): Transform {
  let held: Buffer[] = [];
  let heldBytes = 0;

  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      const end = piece.lastIndexOf(LINE_FEED) + 1;
      if (end > 0 || heldBytes + piece.length > mostBytes) {
        const upTo = end > 0 ? end : piece.length;
        this.push(Buffer.concat([...held, piece.subarray(0, upTo)]));
        held = [];
        heldBytes = 0;
        piece = piece.subarray(upTo);
      }
      if (piece.length > 0) held.push(piece);
      heldBytes += piece.length;
      done();
    },
    // The last line, if its sender left out the line feed.
    flush(done) {
      done(null, Buffer.concat(held));
    },
  });
}

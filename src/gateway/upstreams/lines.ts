import type { Readable } from "node:stream";

const LINE_FEED = 10;

/** Calls `onLine` with each line of UTF-8 text, and with undefined for one longer than `mostBytes`, which is dropped. */
export function eachLine(
  stream: Readable,
  mostBytes: number,
  onLine: (line: string | undefined) => void,
): void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isLong = false;

  function take(piece: Buffer): void {
    if (isLong) return;
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes <= mostBytes) return;
    isLong = true;
    held = [];
    onLine(undefined);
  }

  function finish(): void {
    if (!isLong) onLine(Buffer.concat(held).toString("utf8").trimEnd());
    held = [];
    heldBytes = 0;
    isLong = false;
  }

  stream.on("data", (piece: Buffer) => {
    let at = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, at)) {
      take(piece.subarray(at, end));
      finish();
      at = end + 1;
    }
    if (at < piece.length) take(piece.subarray(at));
  });
  stream.on("end", () => heldBytes > 0 && finish());
  stream.on("error", () => {});
}

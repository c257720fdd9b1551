import type { Readable } from "node:stream";
import { othersFirst } from "../../system/others-first.ts";

const LINE_FEED = 10;
/** Lines that are handled in one turn: 64 KiB can hold 65,536, and each may be parsed or logged. */
const MOST_AT_ONCE = 100;
/** Bytes kept of each end of a line that is too long. */
const EDGE_BYTES = 256;

export interface LineReader {
  /** A line of UTF-8 text. */
  onLine(line: string): void;
  /** Called at the end of a line that is too long, with its beginning and its end. The rest is dropped. */
  onLong?(beginning: string, end: string): void;
}

/** Reads lines of at most `mostBytes`, no faster than they are handled. */
export function eachLine(stream: Readable, mostBytes: number, { onLine, onLong }: LineReader): void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** Both ends of the current line if it is too long. */
  let edges: { beginning: string; end: Buffer } | undefined;

  function take(piece: Buffer): void {
    if (edges) {
      edges.end = Buffer.concat([edges.end, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
      return;
    }
    held.push(piece);
    heldBytes += piece.length;
    if (heldBytes <= mostBytes) return;
    const line = Buffer.concat(held);
    edges = {
      beginning: line.toString("utf8", 0, EDGE_BYTES),
      end: Buffer.from(line.subarray(-EDGE_BYTES)),
    };
    held = [];
  }

  function finish(): void {
    if (edges) onLong?.(edges.beginning, edges.end.toString("utf8").trimEnd());
    else onLine(Buffer.concat(held).toString("utf8").trimEnd());
    held = [];
    heldBytes = 0;
    edges = undefined;
  }

  async function read(piece: Buffer): Promise<void> {
    let at = 0;
    let lines = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, at)) {
      take(piece.subarray(at, end));
      finish();
      at = end + 1;
      if (++lines % MOST_AT_ONCE === 0) await othersFirst();
    }
    if (at < piece.length) take(piece.subarray(at));
  }

  stream.on("data", (piece: Buffer) => {
    stream.pause();
    void read(piece).then(() => stream.resume());
  });
  stream.on("end", () => heldBytes > 0 && finish());
  stream.on("error", () => {});
}

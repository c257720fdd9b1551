import type { Readable } from "node:stream";
import { othersFirst } from "../../system/others-first.ts";

const LINE_FEED = 10;
/**
 * What is handled in one turn, in bytes, while others wait: a chunk of 64 KiB can hold 65,536 lines, and of a fast program,
 * libuv hands over 32 chunks in a turn.
 */
const MOST_AT_ONCE = 256 * 1024;
/** What a line costs beside its bytes, in bytes. It may be parsed or logged. */
const LINE_COST = 2560;
/** Bytes kept of each end of a line that is too long. */
const EDGE_BYTES = 256;

export interface LineReader {
  /** Its UTF-8 text, without the line feed. */
  onLine(line: Buffer): void;
  /** Called at the end of a line that is too long, with its beginning and its end. The rest is dropped. */
  onLong?(beginning: string, end: string): void;
}

/** Reads lines of at most `mostBytes`, no faster than they are handled. */
export function eachLine(stream: Readable, mostBytes: number, { onLine, onLong }: LineReader): void {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** Both ends of the current line if it is too long. */
  let edges: { beginning: string; end: Buffer } | undefined;
  let handled = 0;

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
    else onLine(held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held));
    held = [];
    heldBytes = 0;
    edges = undefined;
  }

  async function read(piece: Buffer): Promise<void> {
    let at = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, at)) {
      take(piece.subarray(at, end));
      handled += heldBytes + LINE_COST;
      finish();
      at = end + 1;
      if (handled < MOST_AT_ONCE) continue;
      handled = 0;
      await othersFirst();
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

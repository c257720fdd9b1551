import { othersFirst } from "../../system/others-first.ts";
import { withoutMark } from "../message.ts";
import { isReadable, MAX_SHORT_BYTES } from "./readable.ts";

const LF = 0x0a;
const CR = 0x0d;

/**
 * What is handled in one turn, in bytes: a chunk of 64 KiB can hold 65,536 events, and of a fast upstream, libuv hands over
 * 32 chunks in a turn.
 */
const MOST_AT_ONCE = 256 * 1024;
/** What an event costs beside its bytes, in bytes. */
const EVENT_COST = 256;
/** Lines of an event that is read. Each is a text of its own. */
const MAX_LINES = 10_000;

/** The unchanged bytes of a server-sent event (HTML §9.2), including the blank line that ends it, or a part of one. */
export interface EventPiece {
  bytes: Buffer;
  /** False for a part of an event that is too long to be buffered, and for an event that costs too much to parse. */
  readable: boolean;
}

/**
 * Splits a stream into events, and yields together those that arrived together: a write for each would cost more than all
 * else. Passes on an event longer than `mostBytes` in parts as they arrive. One that the stream breaks off in is left out,
 * as by its readers (HTML §9.2.6).
 */
export async function* eventsOf(
  body: AsyncIterable<Buffer>,
  mostBytes: number,
): AsyncGenerator<EventPiece[]> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lineBytes = 0;
  let lastOfLine = 0;
  let isLong = false;
  let handled = 0;
  for await (const chunk of body) {
    let pieces: EventPiece[] = [];
    let start = 0;
    let at = 0;
    for (;;) {
      const end = chunk.indexOf(LF, at);
      if (end < 0) break;
      const before = lineBytes + end - at;
      const last = end > at ? (chunk[end - 1] as number) : lastOfLine;
      const isBlank = before === 0 || (before === 1 && last === CR);
      at = end + 1;
      lineBytes = 0;
      lastOfLine = 0;
      if (!isBlank) continue;
      held.push(chunk.subarray(start, at));
      const bytes = joined(held);
      pieces.push({ bytes, readable: !isLong && isReadableEvent(bytes) });
      held = [];
      heldBytes = 0;
      isLong = false;
      start = at;
      handled += bytes.length + EVENT_COST;
      if (handled < MOST_AT_ONCE) continue;
      yield pieces;
      pieces = [];
      handled = 0;
      await othersFirst();
    }
    if (pieces.length > 0) yield pieces;
    lineBytes += chunk.length - at;
    if (chunk.length > at) lastOfLine = chunk[chunk.length - 1] as number;
    if (start === chunk.length) continue;
    held.push(chunk.subarray(start));
    heldBytes += chunk.length - start;
    if (heldBytes <= mostBytes) continue;
    yield [{ bytes: joined(held), readable: false }];
    held = [];
    heldBytes = 0;
    isLong = true;
  }
  if (isLong && heldBytes > 0) yield [{ bytes: joined(held), readable: false }];
}

/** Joins buffers, without a copy of a single one. */
export function joined(buffers: readonly Buffer[]): Buffer {
  return buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers);
}

/** Whether an event has an id, with which a client can fetch what follows it. .NET writes it after the data. */
export function hasId(event: Buffer): boolean {
  return event.indexOf("id:") === 0 || event.includes("\nid:");
}

/** Returns the data of an event; undefined if it has none, such as a comment. */
export function dataOf(event: Buffer): string | undefined {
  const lines = linesOf(event).flatMap(
    (line) => /^data(?:: ?(.*))?$/s.exec(line)?.[1] ?? (line === "data" ? "" : []),
  );
  return lines.length === 0 ? undefined : lines.join("\n");
}

function isReadableEvent(event: Buffer): boolean {
  if (event.length <= MAX_SHORT_BYTES) return true;
  let lines = 0;
  for (const end of [LF, CR]) {
    for (let at = event.indexOf(end); at >= 0 && lines <= MAX_LINES; at = event.indexOf(end, at + 1)) lines++;
  }
  return lines <= MAX_LINES && isReadable(Buffer.from(dataOf(event) ?? ""));
}

/** Returns the message that an event carries; undefined if its data is no JSON. */
export function messageIn(event: Buffer): unknown {
  return event.includes("data") ? parsed(dataOf(event)) : undefined;
}

/** Returns undefined if the text is not JSON. */
export function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    return undefined;
  }
}

/** Returns the same event with other data. Its id and name are kept. */
export function withData(event: Buffer, data: string): Buffer {
  const others = linesOf(event).filter((line) => line !== "" && !/^data(:|$)/.test(line));
  return Buffer.from(`${[...others, `data: ${data}`].join("\n")}\n\n`);
}

/** Returns the lines of an event, without the byte order mark that a stream may begin with (HTML §9.2.5). */
function linesOf(event: Buffer): string[] {
  return withoutMark(event.toString("utf8")).split(/\r\n|\n|\r/);
}

const LF = 0x0a;
const CR = 0x0d;

/** Server-sent events as they came (HTML §9.2), each whole with the blank line that ends it. */
export interface EventPiece {
  bytes: Buffer;
  /** False: a part of one that is longer than what is held. */
  whole: boolean;
}

/** Cuts a stream into events, and passes on what is longer than `mostBytes` as it comes. */
export async function* eventsOf(body: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<EventPiece> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let lineBytes = 0;
  let lastOfLine = 0;
  let isLong = false;
  for await (const chunk of body) {
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
      yield { bytes: held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held), whole: !isLong };
      held = [];
      heldBytes = 0;
      isLong = false;
      start = at;
    }
    lineBytes += chunk.length - at;
    if (chunk.length > at) lastOfLine = chunk[chunk.length - 1] as number;
    if (start === chunk.length) continue;
    held.push(chunk.subarray(start));
    heldBytes += chunk.length - start;
    if (heldBytes <= mostBytes) continue;
    yield { bytes: Buffer.concat(held), whole: false };
    held = [];
    heldBytes = 0;
    isLong = true;
  }
  if (heldBytes > 0) yield { bytes: Buffer.concat(held), whole: false };
}

/** What an event says; undefined where it says nothing, as a comment. */
export function dataOf(event: Buffer): string | undefined {
  const lines = event
    .toString("utf8")
    .split(/\r\n|\n|\r/)
    .flatMap((line) => /^data(?:: ?(.*))?$/s.exec(line)?.[1] ?? (line === "data" ? "" : []));
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** The same event with other data: its id and name stay. */
export function withData(event: Buffer, data: string): Buffer {
  const others = event
    .toString("utf8")
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== "" && !/^data(:|$)/.test(line));
  return Buffer.from(`${[...others, `data: ${data}`].join("\n")}\n\n`);
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataOf, type EventPiece, eventsOf, withData } from "../../src/gateway/relay/event-stream.ts";

async function* inPieces(text: string, cuts: number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  let at = 0;
  for (const cut of cuts.map((each) => each % (bytes.length + 1)).sort((left, right) => left - right)) {
    yield bytes.subarray(at, cut);
    at = cut;
  }
  yield bytes.subarray(at);
}

async function all(pieces: AsyncIterable<EventPiece>): Promise<EventPiece[]> {
  const found: EventPiece[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

const event = fc
  .record({
    id: fc.option(fc.nat()),
    data: fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ id, data }) => ({ id, data: data.map((line) => line.replace(/[\r\n]/g, "")) }));

describe("event streams of upstreams", () => {
  it("are cut into events, in pieces of any size and with LF or CRLF", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1 }),
        fc.constantFrom("\n", "\r\n"),
        fc.array(fc.nat()),
        async (events, end, cuts) => {
          const texts = events.map(
            ({ id, data }) =>
              `${id === null ? "" : `id: ${id}${end}`}${data.map((line) => `data: ${line}${end}`).join("")}${end}`,
          );
          const pieces = await all(eventsOf(inPieces(texts.join(""), cuts), 1 << 20));
          expect(pieces.map(({ bytes }) => bytes.toString())).toEqual(texts);
          expect(pieces.map(({ bytes }) => dataOf(bytes))).toEqual(events.map(({ data }) => data.join("\n")));
        },
      ),
    );
  });

  it("pass on an event that exceeds the buffer without holding it", async () => {
    const long = `data: ${"x".repeat(5000)}\n\n`;
    const cuts = Array.from({ length: 50 }, (_, index) => index * 100);
    const pieces = await all(eventsOf(inPieces(`${long}data: next\n\n`, cuts), 1000));
    expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()).toBe(`${long}data: next\n\n`);
    expect(Math.max(...pieces.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(1100);
    expect(pieces.filter(({ whole }) => whole).map(({ bytes }) => dataOf(bytes))).toEqual(["next"]);
  });

  it("keep the id and name of an event when its data is replaced", () => {
    const replaced = withData(Buffer.from("event: message\r\nid: 7\r\ndata: a\r\ndata: b\r\n\r\n"), "c");
    expect(replaced.toString()).toBe("event: message\nid: 7\ndata: c\n\n");
    expect(dataOf(Buffer.from(":\n\n"))).toBeUndefined();
    expect(dataOf(Buffer.from("data\n\n"))).toBe("");
  });
});

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

async function all(lists: AsyncIterable<EventPiece[]>): Promise<EventPiece[]> {
  const found: EventPiece[] = [];
  for await (const pieces of lists) found.push(...pieces);
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
    expect(pieces.filter(({ readable }) => readable).map(({ bytes }) => dataOf(bytes))).toEqual(["next"]);
  });

  it("of thousands of tiny events come out in few pieces, and others get their turn in between", async () => {
    let turns = 0;
    let over = false;
    const turn = () => {
      turns++;
      if (!over) setImmediate(turn);
    };
    setImmediate(turn);
    async function* body() {
      yield Buffer.alloc(64 * 1024, "\n");
    }
    const lists: EventPiece[][] = [];
    for await (const pieces of eventsOf(body(), 1 << 20)) lists.push(pieces);
    over = true;
    expect(lists.flat()).toHaveLength(64 * 1024);
    expect(lists.length).toBeLessThan(100);
    expect(turns).toBeGreaterThan(50);
  });

  it("keep the id and name of an event when its data is replaced", () => {
    const replaced = withData(Buffer.from("event: message\r\nid: 7\r\ndata: a\r\ndata: b\r\n\r\n"), "c");
    expect(replaced.toString()).toBe("event: message\nid: 7\ndata: c\n\n");
    expect(dataOf(Buffer.from(":\n\n"))).toBeUndefined();
    expect(dataOf(Buffer.from("data\n\n"))).toBe("");
  });
});

describe("events of upstreams that cost too much to parse", () => {
  const inEvent = (data: string) => `data: ${data}\n\n`;
  /** JSON that a quote before it would hide from a look at the bytes of the event. */
  const costly = `[${"[],".repeat(200_000)}0]`;

  it.each([
    ["many values", inEvent(costly)],
    ["deep nesting", inEvent("[".repeat(10_000) + "]".repeat(10_000))],
    ["many values behind a quote in a comment", `: "\n${inEvent(costly)}`],
    ["many lines", `${"data: \n".repeat(100_000)}\n`],
    ["many lines that end with CR", `${"data: \r".repeat(100_000)}\n\n`],
  ])("are passed on unread: %s", async (_, text) => {
    const pieces = await all(eventsOf(inPieces(text, []), 1 << 20));
    expect(pieces.map(({ readable }) => readable)).toEqual([false]);
    expect(pieces[0]?.bytes.equals(Buffer.from(text))).toBe(true);
  });

  it("are not those with one long text, or with a list of many tools", async () => {
    const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
    const tools = Array.from({ length: 5_000 }, (_, at) => ({ name: `tool_${at}`, inputSchema }));
    for (const value of ["[".repeat(1_000_000), { tools }]) {
      const [piece] = await all(eventsOf(inPieces(inEvent(JSON.stringify(value)), []), 1 << 20));
      expect(piece?.readable).toBe(true);
    }
  });
});

it("eventsOf() gives others their turn between chunks that arrive at once, as a fast upstream's do", async () => {
  let over = false;
  let turns = 0;
  const turn = () => {
    turns++;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  async function* body() {
    for (let sent = 0; sent < 100; sent++) yield Buffer.from("data: {}\n\n".repeat(500));
  }
  expect(await all(eventsOf(body(), 1 << 20))).toHaveLength(50_000);
  over = true;
  expect(turns).toBeGreaterThan(40);
});

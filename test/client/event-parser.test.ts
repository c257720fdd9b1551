import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnexpectedAnswer } from "../../src/client/errors.ts";
import { eventParser, type ReceivedEvent } from "../../src/client/event-parser.ts";

describe("eventParser()", () => {
  it("reads the same events from pieces of any size", () => {
    const bytes = Buffer.from(
      'retry: 1000\n\n:\n\nid: 1\nevent: a\ndata: {"text":"é😀"}\n\nid: 2\r\ndata:[1,\r\ndata: 2]\r\n\r\nevent: cut\ndata: 1\n',
    );
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const events: ReceivedEvent[] = [];
        const parse = eventParser((event) => void events.push(event));
        const bounds = [0, ...cuts.sort((left, right) => left - right), bytes.length];
        for (let index = 1; index < bounds.length; index++) {
          parse(bytes.subarray(bounds[index - 1], bounds[index]));
        }
        expect(events).toEqual([
          { id: "1", event: "a", data: { text: "é😀" } },
          { id: "2", event: "message", data: [1, 2] },
        ]);
      }),
    );
  });

  it("accepts Unicode line separators within JSON", () => {
    const events: ReceivedEvent[] = [];
    const data = { text: "a\u2028b\u2029c" };
    eventParser((event) => void events.push(event))(Buffer.from(`id: 1\ndata: ${JSON.stringify(data)}\n\n`));
    expect(events).toEqual([{ id: "1", event: "message", data }]);
  });

  it("refuses an event of more than 8 MiB, in one line or in many", () => {
    const fed = (piece: string) => () => {
      const parse = eventParser(() => {});
      const bytes = Buffer.from(piece);
      for (let fed = 0; fed <= 9 << 20; fed += bytes.length) parse(bytes);
    };
    const line = "x".repeat(100_000);
    expect(fed(line)).toThrow("An event of the stream has more than 8 MiB.");
    expect(fed(`data: ${line}\n`)).toThrow("An event of the stream has more than 8 MiB.");
    expect(fed(`:${line}\n\n`)).not.toThrow();
  });

  it("keeps the last id, resets the event name, and skips an event without data", () => {
    const events: ReceivedEvent[] = [];
    const parse = eventParser((event) => void events.push(event));
    parse(Buffer.from("id: 7\nevent: a\ndata: 1\n\nevent: b\n\ndata:  2\n\n"));
    expect(events).toEqual([
      { id: "7", event: "a", data: 1 },
      { id: "7", event: "message", data: 2 },
    ]);
  });

  it("refuses data that is not JSON", () => {
    expect(() => eventParser(() => {})(Buffer.from("data: {\n\n"))).toThrow(UnexpectedAnswer);
  });
});

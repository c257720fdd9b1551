import { describe, expect, it } from "vitest";
import {
  parseEvent,
  readEnvelope,
  readStoredEvent,
} from "../../../src/tools/observability/sentry/envelope.ts";

const MiB = 1024 * 1024;

async function* bodyOf(...pieces: (string | Buffer)[]) {
  for (const piece of pieces) yield Buffer.from(piece as string);
}

/** Reads an envelope. Returns the offsets and lengths of its events, or the reason of the refusal. */
async function read(...pieces: (string | Buffer)[]): Promise<unknown> {
  try {
    const { events } = await readEnvelope(bodyOf(...pieces));
    return events.map(({ at, json }) => [at, json.length]);
  } catch (error) {
    const { error: name, message } = error as { error: string; message: string };
    return `${name}: ${message}`;
  }
}

const EVENT = '{"type":"event"}\n';
const event = (length: number) => `${EVENT}${" ".repeat(length)}\n`;
const [MALFORMED, TOO_LARGE] = [
  expect.stringMatching(/^invalid_request: /),
  expect.stringMatching(/^payload_too_large: /),
];

describe("readEnvelope()", () => {
  it("accepts headers of up to 16 KiB", async () => {
    const header = (length: number) => `{"a":"${"x".repeat(length - 8)}"}\n`;
    expect(await read(header(16_384), event(1))).toEqual([[16_385, 1]]);
    expect(await read(header(16_385))).toEqual(expect.stringContaining("A line at byte 0 is longer"));
    expect(await read("{}\n", header(16_384), "x\n")).toEqual([]);
    expect(await read("{}\n", header(16_385), "x\n")).toEqual(
      expect.stringContaining("A line at byte 3 is longer"),
    );
  });

  it("accepts up to 500 items, counting empty lines", async () => {
    const session = '{"type":"session"}\n{}\n';
    expect(await read("{}\n", session.repeat(499), event(1))).toEqual([[3 + 499 * session.length, 1]]);
    expect(await read("{}\n", session.repeat(500))).toEqual([]);
    expect(await read("{}\n", session.repeat(500), "\n")).toEqual(
      expect.stringContaining(`after 500 items, at byte ${3 + 500 * session.length}`),
    );
    expect(await read("{}\n", "\n".repeat(500))).toEqual([]);
    expect(await read("{}\n", "\n".repeat(501))).toEqual(MALFORMED);
  });

  it("accepts up to ten events", async () => {
    expect(await read("{}\n", event(1).repeat(10))).toHaveLength(10);
    expect(await read("{}\n", event(1).repeat(11))).toEqual(TOO_LARGE);
  });

  it("accepts up to 2 MiB of events in total", async () => {
    expect(await read("{}\n", event(2 * MiB))).toEqual([[3, 2 * MiB]]);
    expect(await read("{}\n", event(2 * MiB + 1))).toEqual(TOO_LARGE);
    expect(await read("{}\n", event(MiB), event(MiB))).toHaveLength(2);
    expect(await read("{}\n", event(MiB), event(MiB + 1))).toEqual(TOO_LARGE);
    expect(await read("{}\n", event(2 * MiB), '{"type":"attachment"}\n', "x".repeat(MiB))).toHaveLength(1);
  });

  it("reads an item by its declared length or to the end of its line, and refuses a false length", async () => {
    const counted = (length: unknown, ...rest: string[]) =>
      read("{}\n", `{"type":"event","length":${JSON.stringify(length)}}\n`, ...rest);
    expect(await counted(5, "1\n2\n3")).toEqual([[3, 5]]);
    expect(await counted(5, "1\n2\n3\n", event(2))).toEqual([
      [3, 5],
      [expect.any(Number), 2],
    ]);
    // The line feed after an item may be missing.
    expect(await counted(5, "1\n2\n3", event(2))).toEqual([
      [3, 5],
      [expect.any(Number), 2],
    ]);
    expect(await counted(0, "\n", event(2))).toEqual([
      [3, 0],
      [expect.any(Number), 2],
    ]);
    for (const length of [6, -1, 1.5, "5", null, true]) {
      const refused = await counted(length, "1\n2\n3");
      expect([length, refused]).toEqual([
        length,
        expect.stringContaining("The item at byte 3 is said to have"),
      ]);
    }
  });

  it("returns the DSN, the event id and the time of sending if they are strings", async () => {
    const header = async (given: object) => {
      const { events: _, ...header } = await readEnvelope(bodyOf(JSON.stringify(given)));
      return header;
    };
    expect(await header({ dsn: "d", event_id: "e", sent_at: "s" })).toEqual({ dsn: "d", eventId: "e" });
    expect(await header({ dsn: 1, event_id: null, sent_at: 5 })).toEqual({});
    expect(await header({ sent_at: "1970-01-01T00:00:01.5Z" })).toEqual({ sentAt: 1500 });
    expect(await header({})).toEqual({});
  });

  it.each(["", "\n", "[]\n", "null\n", "7\n", '"a"\n', "{\n", "\n{}\n"])(
    "refuses %j, which does not begin with a JSON object",
    async (body) =>
      expect(await read(body)).toEqual(expect.stringContaining("What begins at byte 0 is no JSON object")),
  );

  it("refuses headers that are not valid UTF-8", async () => {
    expect(await read(Buffer.from('{"a":"\xff"}\n', "latin1"))).toEqual(MALFORMED);
    expect(await read("{}\n", Buffer.from('{"type":"\xff"}\n', "latin1"))).toEqual(MALFORMED);
  });
});

describe("an event without an envelope", () => {
  it("is the whole body, in one or more chunks, up to 2 MiB", async () => {
    const { events } = await readStoredEvent(bodyOf('{"a":', "1", "}"));
    expect(events).toEqual([{ at: 0, json: Buffer.from('{"a":1}') }]);
    const [whole] = (await readStoredEvent(bodyOf(Buffer.alloc(MiB), Buffer.alloc(MiB)))).events;
    expect(whole?.json).toHaveLength(2 * MiB);
    const long = readStoredEvent(bodyOf(Buffer.alloc(2 * MiB), "x"));
    await expect(long).rejects.toMatchObject({ error: "payload_too_large" });
    expect((await readStoredEvent(bodyOf())).events).toEqual([{ at: 0, json: Buffer.alloc(0) }]);
  });

  it("is refused with its offset unless it is a JSON object", () => {
    const parse = (json: string) => parseEvent({ at: 42, json: Buffer.from(json) });
    expect(parse('{"a":[1]}')).toEqual({ a: [1] });
    for (const json of ["", "null", "[]", "1", '"x"', "{"])
      expect(() => parse(json)).toThrow("What begins at byte 42 is no JSON object.");
  });
});

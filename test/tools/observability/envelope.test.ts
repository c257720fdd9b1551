import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEnvelope } from "../../../src/tools/observability/sentry/envelope.ts";

async function* inPieces(bytes: Buffer, sizes: readonly number[]) {
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = sizes[index % Math.max(1, sizes.length)] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ value }));
/** An item of an envelope, and its event if it is one. */
const item = fc.oneof(
  fc
    .record({ json, type: fc.constantFrom("event", "session", "transaction"), counted: fc.boolean() })
    .map(({ json, type, counted }) => {
      const length = counted ? `,"length":${Buffer.byteLength(json)}` : "";
      return {
        bytes: Buffer.from(`{"type":"${type}"${length}}\n${json}\n`),
        event: type === "event" ? json : undefined,
      };
    }),
  fc.uint8Array({ maxLength: 60 }).map((content) => {
    const head = Buffer.from(`{"type":"attachment","length":${content.length}}\n`);
    return { bytes: Buffer.concat([head, content, Buffer.from("\n")]), event: undefined };
  }),
  fc.constant({ bytes: Buffer.from("\n"), event: undefined }),
);

describe("readEnvelope()", () => {
  it("returns exactly the events, however the body is split", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 9 }), sizes, async (items, sizes) => {
        const bytes = Buffer.concat([Buffer.from('{"event_id":"e"}\n'), ...items.map(({ bytes }) => bytes)]);
        const { eventId, events } = await readEnvelope(inPieces(bytes, sizes));
        expect(eventId).toBe("e");
        expect(events.map(({ json }) => json.toString())).toEqual(items.flatMap(({ event }) => event ?? []));
      }),
    );
  });

  it("skips a 1 GiB item of another type than event without buffering it", async () => {
    const piece = 1024 * 1024;
    const pieces = 1024;
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    async function* body() {
      yield Buffer.from(`{}\n{"type":"replay_recording","length":${pieces * piece}}\n`);
      for (let sent = 0; sent < pieces; sent++) {
        yield Buffer.alloc(piece, 10);
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
      yield Buffer.from('\n{"type":"event"}\n{"message":"x"}\n');
    }
    const { events } = await readEnvelope(body());
    expect(events).toMatchObject([{ at: expect.any(Number), json: Buffer.from('{"message":"x"}') }]);
    expect(most).toBeLessThan((pieces * piece) / 2);
  });

  it("reads arbitrary bytes or refuses them with status 400", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), sizes, async (bytes, sizes) => {
        const outcome = await readEnvelope(
          inPieces(Buffer.concat([Buffer.from("{}\n"), bytes]), sizes),
        ).catch((error) => error);
        expect(outcome.events !== undefined || outcome.status === 400).toBe(true);
      }),
    );
  });
});

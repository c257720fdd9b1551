import { expect, it } from "vitest";
import { cutOff } from "../../src/gateway/relay/cut-off.ts";
import { type Reader, relayEvents, relayJson } from "../../src/gateway/relay/relay.ts";
import { UpstreamFailure } from "../../src/gateway/upstreams/upstream-port.ts";

const MIB = 1024 * 1024;
const UP = { title: "Up", resumes: true };

/** A reader that does nothing. */
const READER: Reader = {
  id: 1,
  read: async () => undefined,
  tooLong: async () => {},
  ended: async () => undefined,
  failed: async () => ({ error: {} }),
};

async function passed(body: AsyncIterable<Buffer>): Promise<{ bytes: number; error: unknown }> {
  let bytes = 0;
  try {
    for await (const piece of body) bytes += piece.length;
    return { bytes, error: undefined };
  } catch (error) {
    return { bytes, error };
  }
}

it("relayEvents() cuts off an event that exceeds 64 MiB", async () => {
  const line = Buffer.from(`data: ${"x".repeat(MIB)}\n`);
  async function* endless() {
    for (;;) yield line;
  }
  const { bytes, error } = await passed(relayEvents(endless(), READER, UP));
  expect(error).toMatchObject({ kind: "too_large", message: expect.stringContaining("Up") });
  expect(bytes).toBeGreaterThan(60 * MIB);
  expect(bytes).toBeLessThanOrEqual(64 * MIB);
});

it("relayEvents() does not limit the total length of short events", async () => {
  const event = Buffer.from(`data: ${"x".repeat(MIB / 2)}\n\n`);
  async function* many() {
    for (let sent = 0; sent < 160; sent++) yield event;
  }
  expect(await passed(relayEvents(many(), READER, UP))).toEqual({
    bytes: 160 * event.length,
    error: undefined,
  });
});

it("relayEvents() passes on thousands of notifications in few pieces, all of them before the answer is read", async () => {
  const notifications = 'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n'.repeat(5_000);
  const answer = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
  async function* body() {
    yield Buffer.from(notifications + answer);
  }
  const seen: string[] = [];
  let before: string | undefined;
  const reader: Reader = {
    ...READER,
    read: async () => {
      before = seen.join("");
      return undefined;
    },
  };
  for await (const piece of relayEvents(body(), reader, UP)) seen.push(piece.toString());
  expect(before).toBe(notifications);
  expect(seen.join("")).toBe(notifications + answer);
  expect(seen.length).toBeLessThan(10);
});

it.each(["before", "behind"])(
  "relayEvents() leaves the rest to a client that got an id %s the data",
  async (place) => {
    const data = `data: {"method":"notifications/message","params":"${"x".repeat(400)}"}\n`;
    async function* half() {
      yield Buffer.from(place === "before" ? `id: 7\n${data}\n` : `${data}id: 7\n\n`);
    }
    const ended: boolean[] = [];
    const reader = { ...READER, ended: async (resumable: boolean) => void ended.push(resumable) };
    await passed(relayEvents(half(), reader as Reader, UP));
    expect(ended).toEqual([true]);
  },
);

it.each([
  ["unreachable", "left to its client"],
  ["timeout", "left to its client"],
  ["malformed", "answered"],
] as const)("relayEvents() of a stream with an id that fails as %s is %s", async (kind, outcome) => {
  const failure = new UpstreamFailure(kind, "Up is gone.");
  async function* failing() {
    yield Buffer.from("id: 7\ndata:\n\n");
    throw failure;
  }
  const { error } = await passed(relayEvents(failing(), READER, UP));
  expect(error).toBe(outcome === "answered" ? undefined : failure);
});

it("relayEvents() says in its own words that an answer could not be recorded", async () => {
  async function* answering() {
    yield Buffer.from('data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  }
  const unrecorded = () => Promise.reject(new Error("no store"));
  const reader = { ...READER, read: unrecorded, failed: async () => ({ error: { message: "withheld" } }) };
  const pieces: string[] = [];
  for await (const piece of relayEvents(answering(), reader, UP)) pieces.push(piece.toString());
  expect(pieces.join("")).toContain("withheld");
});

it("reads answers that begin with a byte order mark, in JSON and in event streams", async () => {
  const read: unknown[] = [];
  const reader = { ...READER, read: async (response: unknown) => void read.push(response) };
  async function* marked(text: string) {
    yield Buffer.from(`\ufeff${text}`);
  }
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
  await relayJson(marked(answer), reader as Reader, "Up");
  await passed(relayEvents(marked(`data: ${answer}\n\n`), reader as Reader, UP));
  expect(read).toEqual([{ result: {} }, { result: {} }]);
});

it("cutOff() turns an upstream's failure into a problem, and rethrows other errors", async () => {
  async function* failing(error: Error) {
    yield Buffer.from("half");
    throw error;
  }
  const told: UpstreamFailure[] = [];
  const tell = (failure: UpstreamFailure) => void told.push(failure);
  const failure = new UpstreamFailure("too_large", "Up answers too much.");
  const upstreams = await passed(cutOff(failing(failure), tell));
  expect(upstreams).toMatchObject({
    bytes: 4,
    error: { error: "overloaded", detail: "Up answers too much." },
  });
  expect(told).toEqual([failure]);
  const ours = new TypeError("no function");
  expect(await passed(cutOff(failing(ours), tell))).toEqual({ bytes: 4, error: ours });
  expect(told).toEqual([failure]);
});

it("relayJson() and relayEvents() pass an answer on unread that is nested too deeply to be parsed and written", async () => {
  const deep = `{"jsonrpc":"2.0","id":1,"result":{"tools":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;
  async function* body(text: string) {
    yield Buffer.from(text);
  }
  let unread = 0;
  const read = () => Promise.reject(new Error("it was read"));
  const reader = { ...READER, read, tooLong: async () => void unread++ } as Reader;
  expect(String(await relayJson(body(deep), reader, "Up"))).toBe(deep);
  const event = `data: ${deep}\n\n`;
  expect(await passed(relayEvents(body(event), reader, UP))).toEqual({
    bytes: event.length,
    error: undefined,
  });
  expect(unread).toBe(2);
});

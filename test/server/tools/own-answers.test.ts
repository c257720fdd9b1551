import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { endpoint, Reply, type ServerEvent } from "../../../src/contract/endpoint.ts";
import { Problem } from "../../../src/contract/problem.ts";
import type { ControlPlane } from "../../../src/server/control-plane.ts";
import { createServer } from "../../../src/server/create-server.ts";
import { createLog } from "../../../src/system/log.ts";
import { createTestServer, type TestServer } from "../../../src/testing/test-server.ts";
import { type AnyTool, defineTool } from "../../../src/tools/define-tool.ts";
import { OWNER_KEY } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";

/** What authors who write JavaScript may answer with, of which types would have kept them. */
const PATH = "/api/v1/tools/odd/answer";

function answering(reply: () => unknown, change: object = {}): AnyTool {
  const answer = endpoint({
    name: "odd.answer",
    method: "GET",
    path: PATH,
    summary: "Answer",
    scope: "read",
    errors: ["not_found"],
    input: z.object({}),
    output: z.any(),
    ...change,
  });
  return defineTool({ name: "odd", contract: { answer }, create: () => ({ answer: async () => reply() }) });
}

const owner = { email: "owner@localhost", apiKey: OWNER_KEY };

let server: TestServer | ControlPlane | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Asks a server that does not check its answers, and returns the response as it came. */
async function answerOf(
  reply: () => unknown,
  headers = {},
  method = "GET",
): Promise<IncomingMessage & { text: string }> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  server = await createServer({ store: temporaryDirectory(), tools: [answering(reply)], owner, log });
  const { url } = await (server as ControlPlane).listen({ port: 0 });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url + PATH, { method, headers: { "X-API-Key": OWNER_KEY, ...headers } }, resolve);
    asked.on("error", reject).end();
  });
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += part;
  return Object.assign(response, { text });
}

function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

const data = { a: 1 };
const withHeaders = (headers: object) => () =>
  new Reply(data, { headers: headers as Record<string, string> });

it.each([
  ["Content-Length", "70"],
  ["content-length", "3"],
  ["X-RateLimit-Limit", "99999"],
  ["X-Request-Id", "mine"],
])("says %s once, whatever a handler says of it", async (name, value) => {
  const answered = await answerOf(withHeaders({ [name]: value }));
  expect(answered.text).toBe('{"a":1}');
  const values = valuesOf(answered, name.toLowerCase());
  expect(values).toHaveLength(1);
  expect(values).not.toContain(value);
});

it("lets no handler say how long a stream or a problem is, nor how it is framed", async () => {
  async function* parts() {
    yield '{"a"';
    yield ":1}";
  }
  const framed = { headers: { "Content-Length": "5", "Transfer-Encoding": "gzip" } };
  const streamed = await answerOf(() => new Reply(data, { raw: parts(), ...framed }));
  expect([streamed.text, streamed.headers["transfer-encoding"]]).toEqual(['{"a":1}', "chunked"]);
  expect(streamed.headers).not.toHaveProperty("content-length");
  await server?.close();
  const refused = await answerOf(() => {
    throw new Problem("not_found", "There is none.", framed);
  });
  expect(valuesOf(refused, "content-length")).toEqual([String(refused.text.length)]);
  expect(JSON.parse(refused.text)).toMatchObject({ error: "not_found" });
});

it("takes headers in any case, without a value and as Headers", async () => {
  const given = {
    "content-type": "text/csv",
    "cache-control": "max-age=3",
    etag: '"1"',
    "X-None": undefined,
  };
  const answered = await answerOf(() => Reply.raw("a,b", given as never));
  expect(valuesOf(answered, "content-type")).toEqual(["text/csv"]);
  expect(valuesOf(answered, "cache-control")).toEqual(["max-age=3"]);
  expect(answered.headers).not.toHaveProperty("x-none");
  await server?.close();
  const unchanged = await answerOf(withHeaders(new Headers({ ETag: '"1"' })), { "If-None-Match": '"1"' });
  expect([unchanged.statusCode, unchanged.text]).toEqual([304, ""]);
});

it.each([
  ["HEAD", {}, 200],
  ["GET", { "If-None-Match": '"1"' }, 304],
])("closes a stream that %s with %j does not send", async (method, headers, status) => {
  const stream = Readable.from(["a"]);
  const reply = () => Reply.raw(stream, { "Content-Type": "text/plain", ETag: '"1"' });
  const answered = await answerOf(reply, headers, method);
  expect([answered.statusCode, answered.text, stream.destroyed]).toEqual([status, "", true]);
});

it("answers 204 without a body, whatever a handler returns", async () => {
  const answered = await answerOf(() => new Reply(undefined, { status: 204, raw: "abc" }));
  expect([answered.statusCode, answered.text]).toEqual([204, ""]);
  expect(answered.headers).not.toHaveProperty("content-length");
});

it("gives a failure the words of its own status", async () => {
  const failed = await answerOf(withHeaders({ "X-Told": "one\r\ntwo" }));
  expect([failed.statusCode, failed.statusMessage]).toEqual([500, "Internal Server Error"]);
});

it("redirects without a body", async () => {
  const answered = await answerOf(() => new Reply(undefined, { status: 302, headers: { Location: "/a" } }));
  expect([answered.statusCode, answered.headers.location, answered.text]).toEqual([302, "/a", ""]);
});

it.each([
  ["nothing", () => undefined, /^GET .*: odd\.answer answered with undefined, of which JSON holds nothing/],
  ["a Response", () => Response.json(data), /answered with Response, .* or a `Reply`\.$/],
  ["a function", () => () => data, /answered with Function/],
  ["a Map", () => new Map([["a", 1]]), /answered with Map/],
  ["an error", () => new Error("lost"), /answered with Error/],
  ["a generator", () => (async function* () {})(), /answered with AsyncGenerator/],
  ["bytes that are no Buffer", () => Reply.raw(new Uint8Array(1) as never), /a `raw` that is no text/],
  ["null for text", () => Reply.raw(null as never), /a `raw` that is no text/],
])("fails for %s, which is named", async (_, reply, message) => {
  server = await createTestServer({ tools: [answering(reply)] });
  await expect(server.request("GET", PATH)).rejects.toThrow(message);
});

it("fails for events that are no async iterable, which are named", async () => {
  const reply = () => Reply.events((() => [{ id: "1", event: "e", data }] as ServerEvent[]) as never);
  server = await createTestServer({ tools: [answering(reply, { eventStream: true })] });
  await expect(server.request("GET", PATH)).rejects.toThrow(/The events of a stream are an async iterable/);
});

it.each([
  ["a Response", () => Response.json({ secret: "inner" }), /Response \{/],
  [
    "an object whose members throw",
    () => ({
      get message() {
        throw new Error("inner");
      },
    }),
    /message: \[Getter\]/,
  ],
  ["a problem that is no JSON", () => new Problem("not_found", "No.", { members: { id: 12n } }), /BigInt/],
])(
  "a handler that throws %s tells agents nothing of it, and the log what it was",
  async (_, thrown, told) => {
    const log = createLog("error", { write: (line) => void lines.push(line) });
    const lines: string[] = [];
    const reply = () => {
      throw thrown();
    };
    server = await createServer({ store: temporaryDirectory(), tools: [answering(reply)], owner, log });
    const { url } = await (server as ControlPlane).listen({ port: 0 });
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "odd_answer", arguments: {} },
    };
    const headers = {
      "X-API-Key": OWNER_KEY,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const answered = await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(call) });
    const { result } = (await answered.json()) as {
      result?: { isError: boolean; content: { text: string }[] };
    };
    expect(result?.content[0]?.text).toContain("internal_error");
    expect(JSON.stringify(result)).not.toMatch(/inner|BigInt/);
    expect(lines.join("")).toMatch(told);
  },
);

it.each([
  ["an empty object", {}, {}],
  ["an object without a prototype", Object.create(null), {}],
  [
    "one whose members have no value",
    new (class {
      a = undefined;
    })(),
    {},
  ],
  ["null", null, null],
])("answers with %s", async (_, value, body) => {
  server = await createTestServer({ tools: [answering(() => value)] });
  expect((await server.request("GET", PATH)).body).toEqual(body);
});

import { request } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp, type TestApp, type TestResponse } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { runs } from "../support/runs.ts";

/** Tests of revision 2026-07-28 on the wire, without a client library. */

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Sent {
  key?: string | null;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function send(app: TestApp, method: string, { key = OWNER_KEY, params = {}, headers, signal }: Sent = {}) {
  return fetch(`${app.url}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": VERSION,
      "Mcp-Method": method,
      ...(typeof params.name === "string" && { "Mcp-Name": params.name }),
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: "id-1", method, params: { _meta: META, ...params } }),
    ...(signal && { signal }),
  });
}

async function answer(app: TestApp, method: string, sent: Sent = {}) {
  const response = await send(app, method, sent);
  const body = (await response.json()) as TestResponse["body"];
  return { status: response.status, headers: response.headers, body };
}

/** Yields the messages of an event stream. */
async function* messagesOf(response: Response) {
  let text = "";
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(piece).toString();
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data) yield JSON.parse(data);
    }
  }
}

describe("a request of 2026-07-28", () => {
  it("needs no handshake: server/discover answers publicly cacheable capabilities", async () => {
    const app = await startApp();
    const { status, headers, body } = await answer(app, "server/discover");
    expect([status, headers.get("mcp-session-id")]).toEqual([200, null]);
    expect(body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: [VERSION],
      capabilities: { tools: {} },
      cacheScope: "public",
      ttlMs: expect.any(Number),
    });
    expect(body.result._meta["io.modelcontextprotocol/serverInfo"].name).toBe("toolplane");
  });

  it("lists tools in a stable order, cacheable privately", async () => {
    const app = await startApp();
    const first = await answer(app, "tools/list");
    const again = await answer(app, "tools/list");
    expect(first.body.result).toMatchObject({ cacheScope: "private", ttlMs: expect.any(Number) });
    expect(again.body.result).toEqual(first.body.result);
  });

  it.each([
    ["a method in the header that is not the body's", { "Mcp-Method": "tools/call" }, -32020, 400],
    ["a version in the header that is not the body's", { "MCP-Protocol-Version": "2025-11-25" }, -32020, 400],
  ])("is refused for %s", async (_, headers, code, status) => {
    const app = await startApp();
    const refused = await answer(app, "tools/list", { headers });
    expect([refused.status, refused.body.id, refused.body.error.code]).toEqual([status, "id-1", code]);
  });

  it("is refused for a name in the header that is not the body's", async () => {
    const app = await startApp();
    const params = { name: "agent_memory_stats", arguments: {} };
    const refused = await answer(app, "tools/call", { params, headers: { "Mcp-Name": "account_show" } });
    expect([refused.status, refused.body.error.code]).toEqual([400, -32020]);
  });

  it("is refused in an unknown version with the supported ones", async () => {
    const app = await startApp();
    const other = { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } };
    const headers = { "MCP-Protocol-Version": "2099-01-01" };
    const { status, body } = await answer(app, "tools/list", { params: other, headers });
    expect([status, body.error.code]).toEqual([400, -32022]);
    expect(body.error.data).toMatchObject({ supported: [VERSION], requested: "2099-01-01" });
  });

  it.each(["tools/dance", "initialize", "ping", "completion/complete"])(
    "with the unsupported method %s is 404 with -32601",
    async (method) => {
      const app = await startApp();
      const { status, body } = await answer(app, method);
      expect([status, body.id, body.error.code]).toEqual([404, "id-1", -32601]);
    },
  );

  it("is refused without its metadata", async () => {
    const app = await startApp();
    const { status, body } = await answer(app, "tools/list", { params: { _meta: {} } });
    expect([status, body.id, body.error.code]).toEqual([400, "id-1", -32602]);
  });
});

it("any JSON sent as a request of 2026-07-28 is answered without an internal error", async () => {
  const app = await startApp();
  const method = fc.oneof(
    fc.constantFrom(
      "tools/call",
      "tools/list",
      "prompts/get",
      "resources/read",
      "tasks/get",
      "subscriptions/listen",
    ),
    fc.string(),
  );
  const params = fc.oneof(
    fc.record(
      {
        name: fc.constantFrom("agent_memory_stats", "review_my_change", "__proto__"),
        uri: fc.oneof(fc.constant("toolplane://problems"), fc.jsonValue()),
        taskId: fc.jsonValue(),
        notifications: fc.jsonValue(),
        arguments: fc.jsonValue(),
        _meta: fc.oneof(fc.constant(META), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  );
  const id = fc.oneof(fc.integer(), fc.jsonValue());
  const message = fc.record({ jsonrpc: fc.constant("2.0"), id, method, params }, { requiredKeys: [] });
  const headers = fc.record({ "Mcp-Name": fc.constantFrom("agent_memory_stats", "x") }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.jsonValue()), headers, async (body, named) => {
      const sent = (body as { method?: string } | null)?.method;
      const response = await fetch(`${app.url}/mcp`, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Authorization: `Bearer ${OWNER_KEY}`,
          "MCP-Protocol-Version": VERSION,
          ...(sent !== undefined && /^[\x21-\x7e]+$/.test(sent) && { "Mcp-Method": sent }),
          ...(named as Record<string, string>),
        },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      expect([200, 202, 400, 404], text).toContain(response.status);
      expect(text).not.toMatch(/internal_error|-32603|node_modules|\.ts:/);
    }),
    { numRuns: runs(100) },
  );
});

describe("a subscription", () => {
  it("is acknowledged under its own id and completed at once", async () => {
    const app = await startApp();
    const params = { notifications: { toolsListChanged: true } };
    const response = await send(app, "subscriptions/listen", { params });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const messages = [];
    for await (const message of messagesOf(response)) messages.push(message);
    const [first, last, ...more] = messages;
    const _meta = { "io.modelcontextprotocol/subscriptionId": "id-1" };
    expect(first).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { _meta, notifications: {} },
    });
    expect(last).toMatchObject({ id: "id-1", result: { resultType: "complete", _meta } });
    expect(more).toEqual([]);
  });
});

describe("an MCP request refused with 401", () => {
  it("gets its own id in the answer", async () => {
    const app = await startApp({ plan: "free", clock: fakeClock() });
    for (const [key, status, error] of [
      [null, 401, "invalid_token"],
      ["tak_wrong", 401, "invalid_token"],
    ] as const) {
      const refused = await answer(app, "tools/list", { key });
      expect([refused.status, refused.body.id]).toEqual([status, "id-1"]);
      expect(refused.body.error).toMatchObject({ code: status, data: { error } });
    }
  });

  it("does not wait for the rest of its body, and then has no id", async () => {
    const app = await startApp();
    const { port } = new URL(app.url);
    const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const headers = { "Content-Type": "application/json", "Content-Length": 100 };
      const req = request({ port, method: "POST", path: "/mcp", headers }, (res) => {
        let text = "";
        res.setEncoding("utf8").on("data", (piece) => {
          text += piece;
        });
        res.on("end", () => {
          req.destroy();
          resolve({ status: res.statusCode, text });
        });
      });
      req.on("error", reject);
      req.write('{"jsonrpc":"2.0",');
    });
    const { status, text } = await answered;
    expect(status).toBe(401);
    expect(JSON.parse(text)).not.toHaveProperty("id");
  });

  it("has no id if its body is too long", async () => {
    const app = await startApp();
    const response = await fetch(`${app.url}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(65 * 1024) }),
    });
    expect([response.status, (await response.json()) as object]).toEqual([
      401,
      { jsonrpc: "2.0", error: expect.objectContaining({ code: 401 }) },
    ]);
  });
});

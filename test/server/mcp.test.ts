import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startOnFailingStore } from "../hardness/app-on-store.ts";
import { OWNER_KEY, type RequestOptions, startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { runs } from "../support/runs.ts";

const HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2025-11-25",
};

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

function calling(name: string, given: unknown = {}, id = 1) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } };
}

function post(app: TestApp, body: unknown, options: RequestOptions & { query?: string } = {}) {
  const { query = "", ...rest } = options;
  return app.request("POST", `/mcp${query}`, { body, ...rest, headers: { ...HEADERS, ...rest.headers } });
}

async function mcpCalls(app: TestApp): Promise<number> {
  return (await app.request("GET", "/api/v1/usage")).body.totals.mcp_calls;
}

describe("/mcp", () => {
  it("answers 401 with a link to the metadata of this resource (RFC 9728)", async () => {
    const app = await startApp();
    for (const key of [null, "tak_wrong"]) {
      const { status, headers, body } = await post(app, LIST, { key });
      expect([status, body.id, body.error.data.error]).toEqual([401, 1, "invalid_token"]);
      const link = headers.get("www-authenticate")?.match(/resource_metadata="([^"]+)"/)?.[1] as string;
      expect(link).toBe(`${app.url}/.well-known/oauth-protected-resource/mcp`);
      const metadata = await (await fetch(link)).json();
      // §3.3: the resource is exactly the requested URL.
      expect(metadata).toMatchObject({ resource: `${app.url}/mcp`, authorization_servers: [app.url] });
    }
    const elsewhere = await app.request("GET", "/api/v1/account", { key: null });
    expect(elsewhere.headers.get("www-authenticate")).toContain('/oauth-protected-resource"');
  });

  it("accepts POST only, without sessions and streams", async () => {
    const app = await startApp();
    for (const method of ["GET", "DELETE", "PUT"]) {
      const { status, headers } = await app.request(method, "/mcp", {
        headers: { Accept: "text/event-stream" },
      });
      expect([method, status, headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    const { headers } = await post(app, LIST);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(headers.get("content-type")).toContain("application/json");
  });

  it("refuses foreign origins with 403, with or without a credential", async () => {
    const app = await startApp();
    for (const key of [OWNER_KEY, null]) {
      for (const origin of [
        "https://evil.example",
        "null",
        "http://localhost:1",
        `${app.url}.evil.example`,
      ]) {
        const { status, body } = await post(app, LIST, { key, headers: { Origin: origin } });
        expect([origin, status, body.error.data.error]).toEqual([origin, 403, "forbidden"]);
      }
    }
    expect((await post(app, LIST, { headers: { Origin: app.url } })).status).toBe(200);
  });

  it("accepts all loopback names with its own port as origins, and no other port or scheme", async () => {
    const app = await startApp();
    const { port } = new URL(app.url);
    const statusOf = async (origin: string) =>
      (await post(app, LIST, { headers: { Origin: origin } })).status;
    for (const name of ["localhost", "127.0.0.1", "127.0.0.2", "[::1]"]) {
      expect([name, await statusOf(`http://${name}:${port}`)]).toEqual([name, 200]);
      expect([name, await statusOf(`http://${name}:${Number(port) - 1}`)]).toEqual([name, 403]);
      expect([name, await statusOf(`https://${name}:${port}`)]).toEqual([name, 403]);
      expect([name, await statusOf(`http://${name}`)]).toEqual([name, 403]);
    }
    for (const evil of [
      `http://localhost.evil.example:${port}`,
      `http://evil.localhost:${port}`,
      `http://evil.example@localhost:${port}`,
      `http://localhost:${port}/`,
      `http://10.0.0.1:${port}`,
    ]) {
      expect([evil, await statusOf(evil)]).toEqual([evil, 403]);
    }
  });

  it("answers notifications with 202, and batches and malformed messages with 400", async () => {
    const app = await startApp();
    expect((await post(app, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    const batch = await post(app, [LIST, LIST]);
    expect([batch.status, batch.body.error.code, batch.body.id]).toEqual([400, -32600, undefined]);
    const noJson = await post(app, undefined, { raw: "{" });
    expect([noJson.status, noJson.body.error.code]).toEqual([400, -32700]);
    const noMessage = await post(app, { hello: "world" });
    expect([noMessage.status, noMessage.body.error.message]).toEqual([
      400,
      expect.stringContaining("JSON-RPC"),
    ]);
    const noMethod = await post(app, { jsonrpc: "2.0", id: 1, method: "tools/dance" });
    expect(noMethod.body.error.code).toBe(-32601);
    const old = await post(app, LIST, { headers: { "MCP-Protocol-Version": "1999-01-01" } });
    expect([old.status, old.body.error.message]).toEqual([400, expect.stringContaining("1999-01-01")]);
    expect((await post(app, LIST, { headers: { Accept: "*/*" } })).status).toBe(200);
    expect((await post(app, LIST, { headers: { "Content-Type": "text/plain" } })).status).toBe(415);
  });

  it("sends the rate limit headers, and counts one request for each message", async () => {
    const app = await startApp({ plan: "free", clock: fakeClock() });
    const first = await post(app, LIST);
    expect(first.headers.get("x-ratelimit-limit")).toBe("20");
    expect(first.headers.get("x-ratelimit-remaining")).toBe("19");
    const second = await post(app, calling("knowledge_graph_search", { q: "a" }));
    expect(second.headers.get("x-ratelimit-remaining")).toBe("18");
    expect(second.headers.get("x-request-id")).toMatch(/^req_/);
    for (let count = 2; count < 40; count++) await post(app, LIST);
    const refused = await post(app, LIST);
    expect([refused.status, refused.body.id, refused.body.error.code]).toEqual([429, 1, 429]);
    expect(refused.body.error.data).toMatchObject({ error: "rate_limited", window: "minute" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("applies the limit of the endpoint that a tool stands for", async () => {
    const app = await startApp({ clock: fakeClock() });
    const { accountId, token } = await app.account("enterprise");
    const limits = { endpoints: { "agents.list": 2 } };
    expect((await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { limits } })).status).toBe(
      200,
    );
    const call = () => post(app, calling("agents_list"), { key: token, query: "?tools=all" });
    expect((await call()).body.result.isError).toBeUndefined();
    expect((await app.request("GET", "/api/v1/agents", { key: token })).status).toBe(200);
    const { status, body } = await call();
    expect([status, body.result.isError]).toEqual([200, true]);
    expect(body.result.content[0].text).toMatch(
      /\(rate_limited\): .*agents\.list is used up\. Try again in \d+ (s|min)/,
    );
    expect((await app.request("GET", "/api/v1/agents", { key: token })).status).toBe(429);
  });

  it("counts each successful call as one mcp_calls of its project", async () => {
    const app = await startApp();
    await post(app, LIST);
    await post(app, calling("knowledge_graph_search", { q: "a" }));
    await post(app, calling("knowledge_graph_search", { wrong: "a" }));
    await post(app, calling("knowledge_graph_impact", { entityId: "nobody" }));
    await post(app, calling("agent_memory_store", { content: "It is counted." }));
    expect(await mcpCalls(app)).toBe(2);
    await post(app, calling("agent_memory_recall"), { headers: { "X-Project-Id": "other" } });
    expect(await mcpCalls(app)).toBe(2);
  });

  it("creates no project for a read-only key, whose calls count in the default one", async () => {
    const app = await startApp();
    const key = await app.key(["read"]);
    await post(app, calling("agent_memory_recall"), { key, headers: { "X-Project-Id": "made-up" } });
    await post(app, calling("agent_memory_recall"), { key });
    const { items } = (await app.request("GET", "/api/v1/projects")).body;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain("made-up");
    expect(await mcpCalls(app)).toBe(2);
  });

  it("counts calls that read an archived project in the default one, since nothing is written to it", async () => {
    const app = await startApp();
    const headers = { "X-Project-Id": "old" };
    await post(app, calling("agent_memory_recall"), { headers });
    expect((await app.request("PUT", "/api/v1/projects/old", { body: { archived: true } })).status).toBe(200);
    const { body } = await post(app, calling("agent_memory_recall"), { headers });
    expect(body.result.isError).toBe(undefined);
    expect(await mcpCalls(app)).toBe(1);
    expect((await app.request("GET", "/api/v1/usage", { headers })).body.totals.mcp_calls).toBe(1);
  });

  it("replays the first answer to the same Idempotency-Key, over MCP and the API", async () => {
    const app = await startApp();
    const headers = { "Idempotency-Key": "once" };
    const given = { content: "Only once." };
    const first = await post(app, calling("agent_memory_store", given), { headers });
    const again = await post(app, calling("agent_memory_store", given, 2), { headers });
    expect(again.body.result.structuredContent).toEqual(first.body.result.structuredContent);
    const direct = await app.request("POST", "/api/v1/tools/agent-memory/store", { headers, body: given });
    expect(direct.headers.get("idempotent-replayed")).toBe("true");
    expect(direct.body).toEqual(first.body.result.structuredContent);
    const other = await post(app, calling("agent_memory_store", { content: "Other." }), { headers });
    expect(other.body.result.content[0].text).toContain("(idempotency_mismatch)");
    const stats = await app.request("GET", "/api/v1/tools/agent-memory/stats");
    expect(stats.body.memories).toBe(1);
  });

  it("refuses another project to a key bound to a project", async () => {
    const app = await startApp();
    const key = await app.key(["write"], { projectId: "mine" });
    await post(app, calling("agent_memory_store", { content: "In mine." }), { key });
    const elsewhere = await post(app, calling("agent_memory_recall"), {
      key,
      headers: { "X-Project-Id": "other" },
    });
    expect(elsewhere.body.result.content[0].text).toContain("(forbidden)");
    const stats = await app.request("GET", "/api/v1/tools/agent-memory/stats", {
      headers: { "X-Project-Id": "mine" },
    });
    expect(stats.body.memories).toBe(1);
  });

  it("limits the arguments of a call to the body limit of its endpoint", async () => {
    const app = await startApp();
    const given = { type: "agents_invoked", metadata: { text: "x".repeat(1 << 20) } };
    const { status, body } = await post(app, calling("usage_track", given), { query: "?tools=all" });
    expect(status).toBe(200);
    expect(body.result.content[0].text).toMatch(/\(invalid_arguments\)|\(payload_too_large\)/);
    const whole = await post(app, undefined, { raw: `"${"x".repeat(4 << 20)}"` });
    expect(whole.status).toBe(413);
  });

  it("refuses unknown tools and query parameters", async () => {
    const app = await startApp();
    const unknown = await post(app, LIST, { query: "?tools=knowledge_graph_serach" });
    expect(unknown.body.error).toMatchObject({ code: -32600, data: { errors: [{ path: "tools" }] } });
    expect(unknown.body.error.message).toContain("did you mean knowledge_graph_search");
    const stranger = await post(app, LIST, { query: "?tool=all" });
    expect(stranger.body.error.data).toMatchObject({ status: 400, errors: [{ path: "tool" }] });
  });

  it("answers a call in JSON even if the client prefers another type", async () => {
    const app = await startApp();
    const headers = { Accept: "application/sarif+json, application/json, text/event-stream" };
    const diff = "--- a/a.js\n+++ b/a.js\n@@ -0,0 +1 @@\n+eval(x)\n";
    const { body } = await post(app, calling("code_review_review", { diff }), { headers });
    expect(body.result.structuredContent.findings).toHaveLength(1);
  });

  it("reveals no internals when a call fails, and answers a completed call that could not be counted", async () => {
    const app = await startOnFailingStore();
    /** Sends a call whose store operations fail from the given one on. Authentication is the first. */
    const callFailingFrom = async (failing: number) => {
      let steps = 0;
      app.failWith(() => (++steps >= failing ? new Error("the inside") : undefined));
      const response = await fetch(`${app.url}/mcp`, {
        method: "POST",
        headers: { ...HEADERS, Authorization: `Bearer ${OWNER_KEY}` },
        body: JSON.stringify(calling("knowledge_graph_search", { q: "a" })),
      });
      return response.text();
    };
    const answers = [];
    for (let failing = 1; failing <= 12; failing++) answers.push(await callFailingFrom(failing));
    app.failWith(undefined);
    for (const answer of answers) expect(answer).not.toContain("the inside");
    const outcomes = answers.map((answer) =>
      answer.includes("structuredContent")
        ? "answered"
        : JSON.parse(answer).result
          ? "tool error"
          : "refused",
    );
    expect([...new Set(outcomes)]).toEqual(["refused", "tool error", "answered"]);
    expect(answers[outcomes.indexOf("tool error")]).toContain("(internal_error)");
    const usage = await fetch(`${app.url}/api/v1/usage`, {
      headers: { Authorization: `Bearer ${OWNER_KEY}` },
    });
    const { totals } = (await usage.json()) as { totals: { mcp_calls: number } };
    expect(totals.mcp_calls).toBeLessThan(outcomes.filter((outcome) => outcome === "answered").length);
  });

  it("answers any JSON without an internal error", async () => {
    const app = await startApp();
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.jsonValue()),
        method: fc.oneof(
          fc.constantFrom("tools/call", "tools/list", "ping", "notifications/cancelled"),
          fc.string(),
        ),
        params: fc.oneof(
          fc.record({
            name: fc.constantFrom(
              "knowledge_graph_search",
              "scheduler_plan",
              "agent_memory_store",
              "__proto__",
            ),
            arguments: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
            _meta: fc.jsonValue(),
          }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.jsonValue()), async (body) => {
        const { status, text } = await post(app, undefined, { raw: JSON.stringify(body) });
        expect([200, 202, 400]).toContain(status);
        expect(text).not.toMatch(/internal_error|-32603|node_modules|\.ts:/);
      }),
      { numRuns: runs(100) },
    );
  });
});

import { expect, it } from "vitest";
import type { TestApp } from "../../support/app.ts";
import { json, LIST, post, startBefore, startUpstream } from "../../support/services/upstream.ts";

const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } };

async function begun() {
  const upstream = await startUpstream(({ message }, res) => {
    res.setHeader("Mcp-Session-Id", "s.1");
    json(res, { jsonrpc: "2.0", id: message?.id, result: { tools: [] } });
  });
  const app = await startBefore(upstream.url);
  const session = (await post(app, INITIALIZE)).headers.get("mcp-session-id") as string;
  return { upstream, app, session };
}

const inSession = (app: TestApp, session: string, key?: string) =>
  post(app, LIST, { headers: { "Mcp-Session-Id": session }, ...(key !== undefined && { key }) });

it("a session id maps to the upstream's own for the credential that began the session", async () => {
  const { upstream, app, session } = await begun();
  expect((await inSession(app, session)).status).toBe(200);
  expect(upstream.received.at(-1)?.headers["mcp-session-id"]).toBe("s.1");
  const ended = await app.request("DELETE", "/mcp/up", { headers: { "Mcp-Session-Id": session } });
  expect(ended.status).toBe(200);
  expect(upstream.received.at(-1)).toMatchObject({ method: "DELETE", headers: { "mcp-session-id": "s.1" } });
});

it("a session id that is guessed, changed or of another credential is 404", async () => {
  const { upstream, app, session } = await begun();
  const before = upstream.received.length;
  const { token } = await app.account("pro");
  const mine = await app.key(["read"]);
  for (const [given, key] of [
    [session, token],
    [session, mine],
    ["s.1"],
    [`x${session}`],
    ["s"],
    [`${session}x`],
  ]) {
    const { status, body } = await inSession(app, given as string, key);
    expect([status, body.error.code]).toEqual([404, -32001]);
  }
  expect(upstream.received).toHaveLength(before);
});

it("a session id is ignored in revisions without sessions", async () => {
  const { upstream, app } = await begun();
  const headers = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Session-Id": "anything",
    "Mcp-Method": "tools/list",
  };
  const { status, headers: answered } = await post(app, LIST, { headers });
  expect([status, answered.get("mcp-session-id")]).toEqual([200, null]);
  expect(upstream.received.at(-1)?.headers["mcp-session-id"]).toBeUndefined();
});

it("a request whose MCP headers contradict its body is refused with -32020", async () => {
  const { upstream, app } = await begun();
  const before = upstream.received.length;
  const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "secret" } };
  const encoded = `=?base64?${Buffer.from("secret").toString("base64")}?=`;
  for (const [headers, status] of [
    [{ "Mcp-Method": "tools/list" }, 400],
    [{ "Mcp-Method": "tools/call", "Mcp-Name": "allowed" }, 400],
    [{ "Mcp-Method": "tools/call", "Mcp-Name": "secret" }, 200],
    [{ "Mcp-Method": "tools/call", "Mcp-Name": encoded }, 200],
  ] as const) {
    const { status: got, body } = await post(app, call, { headers });
    expect([got, body.error?.code]).toEqual([status, status === 400 ? -32020 : undefined]);
  }
  expect(upstream.received).toHaveLength(before + 2);
});

it("a request of a revision without sessions is refused with -32020 if it lacks the headers that repeat its body", async () => {
  const { upstream, app } = await begun();
  const before = upstream.received.length;
  const version = { "MCP-Protocol-Version": "2026-07-28" };
  const named = (method: string, params: object) => ({ jsonrpc: "2.0", id: 4, method, params });
  const call = named("tools/call", { name: "secret" });
  const read = named("resources/read", { uri: "file:///a" });
  for (const [message, headers, lacks] of [
    [LIST, {}, "Mcp-Method"],
    [call, { "Mcp-Name": "secret" }, "Mcp-Method"],
    [call, { "Mcp-Method": "tools/call" }, "Mcp-Name"],
    [read, { "Mcp-Method": "resources/read" }, "Mcp-Name"],
  ] as const) {
    const { status, body } = await post(app, message, { headers: { ...version, ...headers } });
    expect([status, body.error]).toEqual([
      400,
      { code: -32020, message: expect.stringContaining(`${lacks} is missing`) },
    ]);
  }
  expect(upstream.received).toHaveLength(before);
  const whole = { ...version, "Mcp-Method": "resources/read", "Mcp-Name": "file:///a" };
  expect((await post(app, read, { headers: whole })).status).toBe(200);
});

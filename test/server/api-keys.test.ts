import { describe, expect, it } from "vitest";
import { createLog } from "../../src/system/log.ts";
import { type RequestOptions, startApp, type TestApp } from "../support/app.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { calling, LIST, post, startBefore, startUpstream, tools } from "../support/services/upstream.ts";

const KEYS = "/api/v1/keys";
const MINUTE_MS = 60_000;

/** Starts a server behind one proxy, so that a test can set the address of a request. */
const startBehindProxy = (databaseUrl?: string) =>
  startApp({ trustProxy: "1", ...(databaseUrl !== undefined && { databaseUrl }) });

const from = (address: string) => ({ "X-Forwarded-For": address });

async function make(app: TestApp, body: object, options: RequestOptions = {}) {
  const made = await app.request("POST", KEYS, {
    body: { name: "ci", scopes: ["read", "write"], ...body },
    ...options,
  });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.body as { key: { id: string; prefix: string }; secret: string };
}

function track(app: TestApp, key: string, headers: Record<string, string> = {}) {
  return app.request("POST", "/api/v1/track", { body: { type: "api_calls" }, key, headers });
}

describe.each(["a directory", "PostgreSQL"])("keys in %s", (kind) => {
  const start = async () => startBehindProxy(kind === "PostgreSQL" ? await createDatabase() : undefined);

  it("are suspended and resumed at once, together with their previous secret", async () => {
    const app = await start();
    const { key, secret } = await make(app, {});
    const path = `${KEYS}/${key.id}`;
    const rotated = await app.request("POST", `${path}/rotate`, { body: { overlapSeconds: 3600 } });
    const answers = async () =>
      Promise.all([secret, rotated.body.secret].map(async (each) => (await track(app, each)).status));
    expect(await answers()).toEqual([200, 200]);
    const suspended = await app.request("PATCH", path, { body: { suspended: true } });
    expect(suspended.body.key.suspendedAt).toEqual(expect.any(String));
    expect(await answers()).toEqual([401, 401]);
    // Other changes do not resume the key.
    const renamed = await app.request("PATCH", path, { body: { name: "still", expiresAt: null } });
    expect(renamed.body.key).toMatchObject({ name: "still", suspendedAt: suspended.body.key.suspendedAt });
    expect((await app.request("POST", `${path}/rotate`, { body: {} })).body.error).toBe("invalid_state");
    expect(await answers()).toEqual([401, 401]);
    const resumed = await app.request("PATCH", path, { body: { suspended: false } });
    expect(resumed.body.key).not.toHaveProperty("suspendedAt");
    expect(await answers()).toEqual([200, 200]);
    const log = await app.request("GET", `/api/v1/audit-log?target=${key.id}`);
    const actions = log.body.items.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(["key.resumed", "key.updated", "key.suspended", "key.rotated", "key.created"]);
  });

  it("can be suspended by an admin who may not change or resume them", async () => {
    const app = await start();
    const { key } = await make(app, { scopes: ["admin"] });
    const weak = await app.key(["admin"], { projectId: "web" });
    const strong = await app.key(["admin"]);
    const path = `${KEYS}/${key.id}`;
    const as = (by: string, suspended: boolean) =>
      app.request("PATCH", path, { body: { suspended }, key: by }).then(({ status }) => status);
    expect(await as(weak, true)).toBe(403);
    expect(await as(strong, true)).toBe(200);
    const invited = await app.request("POST", "/api/v1/users", {
      body: { email: "admin@example.com", role: "admin" },
    });
    const { account } = (await app.request("GET", "/api/v1/account")).body;
    const by = {
      accountId: account.id,
      userId: invited.body.user.id,
      credential: { kind: "session", id: "ses", scopes: ["read", "write", "admin"] },
      address: "",
      requestId: "",
    } as const;
    const { apiKeys } = app.app.services;
    await expect(apiKeys.update(by, key.id, { suspended: false })).rejects.toMatchObject({
      error: "forbidden",
    });
    await expect(apiKeys.update(by, key.id, { suspended: true, name: "mine" })).rejects.toMatchObject({
      error: "forbidden",
    });
    expect((await apiKeys.update(by, key.id, { suspended: true })).suspendedAt).toBeGreaterThan(0);
  });

  it("are changed by PATCH, and null removes a binding", async () => {
    const app = await start();
    const { key, secret } = await make(app, { projectId: "web" });
    const path = `${KEYS}/${key.id}`;
    const expiresAt = new Date(Date.now() + MINUTE_MS).toISOString();
    const change = {
      name: "deploy",
      scopes: ["read"],
      expiresAt,
      addresses: ["192.0.2.0/24"],
      tools: ["usage.*"],
    };
    const changed = await app.request("PATCH", path, { body: change });
    expect(changed.body.key).toMatchObject({ ...change, projectId: "web", createdBy: "owner@localhost" });
    expect((await app.request("GET", path)).body).toEqual({ ...changed.body, usedIn30Days: 0 });
    expect((await track(app, secret, from("192.0.2.7"))).body.error).toBe("insufficient_scope");
    const free = { projectId: null, tools: null, addresses: null, expiresAt: null, scopes: ["write"] };
    const { body } = await app.request("PATCH", path, { body: free });
    expect(Object.keys(body.key)).not.toEqual(expect.arrayContaining(["tools"]));
    for (const gone of ["projectId", "tools", "addresses", "expiresAt"])
      expect(body.key).not.toHaveProperty(gone);
    expect((await track(app, secret, from("203.0.113.9"))).status).toBe(200);
    expect((await app.request("GET", path)).body.usedIn30Days).toBe(1);
    expect((await app.request("PATCH", path, { body: { addresses: [] } })).status).toBe(400);
  });

  it("bound to addresses get 403 from elsewhere, without revealing the allowed addresses", async () => {
    const app = await start();
    const addresses = ["192.0.2.0/24", "2001:db8::/32"];
    const { key, secret } = await make(app, { addresses });
    for (const inside of ["192.0.2.255", "2001:DB8::1", "::ffff:192.0.2.1"]) {
      expect((await track(app, secret, from(inside))).status).toBe(200);
    }
    const tries = ["192.0.3.0", "2001:db9::1", "unknown", "192.0.2.1, 203.0.113.9"];
    for (const outside of tries) {
      for (const [method, way] of [
        ["POST", "/api/v1/track"],
        ["POST", "/mcp"],
        ["GET", "/api/v1/account"],
        ["GET", "/api/v1/nothing"],
        ["GET", "/"],
      ] as const) {
        const refused = await app.request(method, way, {
          key: secret,
          headers: from(outside),
          ...(method === "POST" && { body: {} }),
        });
        expect([way, refused.status]).toEqual([way, 403]);
        expect(refused.text).toContain("outside_binding");
        expect(refused.text).not.toMatch(/192\.0\.2\.0|2001:db8::\/32/);
      }
    }
    // Such requests count as unauthenticated: a finder of the key cannot use up the account's limits.
    const limitOf = async (key: string | null) =>
      (await app.request("GET", "/api/v1/account", { key, headers: from("203.0.113.1") })).headers.get(
        "x-ratelimit-limit",
      );
    expect(await limitOf(secret)).toBe(await limitOf("tak_unknown"));
    const { body } = await app.request("GET", `${KEYS}/${key.id}`);
    expect(body.key).toMatchObject({ lastUsedAddress: "192.0.2.255", addresses });
  });

  it("keep their previous secret through the overlap of a rotation, but no older one", async () => {
    const app = await start();
    const { key, secret: first } = await make(app, { addresses: ["192.0.2.1"] });
    const rotate = (overlapSeconds: number) =>
      app.request("POST", `${KEYS}/${key.id}/rotate`, { body: { overlapSeconds } });
    const works = async (secret: string) => (await track(app, secret, from("192.0.2.1"))).status;
    const second = (await rotate(60)).body;
    expect(second.key).toMatchObject({ id: key.id, previous: { prefix: key.prefix } });
    expect([await works(first), await works(second.secret)]).toEqual([200, 200]);
    const third = (await rotate(60)).body;
    expect([await works(first), await works(second.secret), await works(third.secret)]).toEqual([
      401, 200, 200,
    ]);
    const { body: bound } = await app.request("PATCH", `${KEYS}/${key.id}`, {
      body: { addresses: ["192.0.2.2"] },
    });
    expect(bound.key.previous.prefix).toBe(second.key.prefix);
    expect([await works(second.secret), await works(third.secret)]).toEqual([403, 403]);
    await app.request("PATCH", `${KEYS}/${key.id}`, { body: { addresses: null } });
    const fourth = (await rotate(0)).body;
    expect(fourth.key).not.toHaveProperty("previous");
    expect([await works(second.secret), await works(third.secret), await works(fourth.secret)]).toEqual([
      401, 401, 200,
    ]);
    expect((await app.request("DELETE", `${KEYS}/${key.id}`)).status).toBe(204);
    expect(await works(fourth.secret)).toBe(401);
    expect((await rotate(0)).status).toBe(404);
    expect((await rotate(30 * 86_400 + 1)).status).toBe(400);
  });

  it("are searched, sorted and paged through", async () => {
    const app = await start();
    const names = ["Beta", "alpha", "gamma-ALPHA", "delta"];
    for (const name of names) await make(app, { name, ...(name === "delta" && { projectId: "alphabet" }) });
    const pages = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const { status, body } = await app.request("GET", `${KEYS}?limit=2&${query}${cursor}`);
        expect(status).toBe(200);
        found.push(...body.items.map(({ name }: { name: string }) => name));
        if (!body.nextCursor) return found;
        cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
      }
    };
    expect(await pages("")).toEqual(names);
    expect(await pages("sort=-createdAt")).toEqual([...names].reverse());
    expect(await pages("sort=name")).toEqual(["alpha", "Beta", "delta", "gamma-ALPHA"]);
    expect(await pages("query=ALPHA")).toEqual(["alpha", "gamma-ALPHA", "delta"]);
    expect(await pages("query=alpha&sort=-name")).toEqual(["gamma-ALPHA", "delta", "alpha"]);
    expect(await pages("userId=usr_nobody")).toEqual([]);
    expect((await app.request("GET", `${KEYS}?sort=name&cursor=x`)).status).toBe(400);
  });
});

describe("keys bound to tools", () => {
  it("work for these over the API and MCP, and for GET /api/v1/account", async () => {
    const app = await startApp();
    const { secret } = await make(app, { tools: ["usage.track", "agent_memory_*"] });
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, path, { key: secret, ...(body !== undefined && { body }) });
    expect((await track(app, secret)).status).toBe(200);
    expect((await ask("GET", "/api/v1/tools/agent-memory/stats")).status).toBe(200);
    expect((await ask("GET", "/api/v1/account")).body.credential.tools).toEqual([
      "usage.track",
      "agent_memory_*",
    ]);
    const refused = await ask("GET", "/api/v1/usage");
    expect([refused.status, refused.body.error]).toEqual([403, "outside_binding"]);
    expect(refused.body.detail).toContain("usage.track, agent_memory_* alone");
    const mcp = (body: unknown) =>
      app.request("POST", "/mcp?tools=all", {
        key: secret,
        body,
        headers: { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" },
      });
    const listed: { name: string }[] = (await mcp(LIST)).body.result.tools;
    expect(listed.map(({ name }) => name).filter((name) => !name.startsWith("agent_memory_"))).toEqual([
      "account_show",
      "usage_track",
    ]);
    expect((await mcp(calling("agent_memory_stats"))).body.result.isError).toBeUndefined();
    const called = await mcp(calling("usage_show"));
    expect([called.status, called.body.error.data.error]).toEqual([403, "outside_binding"]);
    expect(
      (await app.request("POST", KEYS, { body: { name: "x", scopes: ["read"], tools: ["usage.trakc"] } }))
        .body.errors,
    ).toEqual([{ path: "tools.0", message: '"usage.trakc" names no endpoint, tool or upstream here' }]);
  });

  it("see and call only their bound tools of an upstream", async () => {
    const upstream = await startUpstream(tools([{ name: "read_file" }, { name: "write_file" }]));
    const app = await startBefore(upstream.url);
    const { secret: key } = await make(app, { tools: ["up/read_*"] });
    expect((await post(app, LIST, { key })).body.result.tools).toEqual([{ name: "read_file" }]);
    expect((await post(app, calling("read_file"), { key })).body.result.content).toBeDefined();
    const before = upstream.received.length;
    for (const body of [
      calling("write_file"),
      { jsonrpc: "2.0", id: 3, method: "resources/read", params: { uri: "file:///etc" } },
    ]) {
      const refused = await post(app, body, { key });
      expect([refused.status, refused.body.error.data.error]).toEqual([403, "outside_binding"]);
    }
    expect(upstream.received.length).toBe(before);
    const { secret: whole } = await make(app, { tools: ["up/*"] });
    expect((await post(app, LIST, { key: whole })).body.result.tools).toHaveLength(2);
    const { secret: other } = await make(app, { tools: ["usage.track"] });
    expect((await post(app, LIST, { key: other })).status).toBe(403);
  });
});

describe("a key", () => {
  it("leaves one audit log entry for each change, and never its secret", async () => {
    const lines: string[] = [];
    const app = await startApp({ log: createLog("info", { write: (line) => void lines.push(line) }) });
    const { key, secret } = await make(app, {});
    const path = `${KEYS}/${key.id}`;
    await app.request("PATCH", path, { body: { name: "deploy", addresses: ["127.0.0.1"] } });
    const rotated = (await app.request("POST", `${path}/rotate`, { body: {} })).body;
    await app.request("PATCH", path, { body: { addresses: ["192.0.2.1"] } });
    for (let time = 0; time < 3; time++) expect((await track(app, rotated.secret)).status).toBe(403);
    await app.request("DELETE", path);
    await expect.poll(() => lines.filter((line) => line.includes('"action":"key.')).length).toBe(6);
    const entries = lines
      .flatMap((line) => JSON.parse(line).audit ?? [])
      .filter(({ action }) => action.startsWith("key."));
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`).sort()).toEqual([
      "key.created done",
      "key.refused refused",
      "key.revoked done",
      "key.rotated done",
      "key.updated done",
      "key.updated done",
    ]);
    expect(entries[1]).toMatchObject({
      target: { kind: "key", id: key.id, name: "deploy" },
      before: { name: "ci" },
      after: { name: "deploy", addresses: ["127.0.0.1"] },
    });
    for (const one of [secret, rotated.secret]) expect(lines.join("")).not.toContain(one);
  });

  it("is rotated once under one Idempotency-Key, and a repeat gets the same secret", async () => {
    const app = await startApp();
    const { key } = await make(app, {});
    const headers = { "Idempotency-Key": "5f0c6f1e-rotate" };
    const rotate = () =>
      app.request("POST", `${KEYS}/${key.id}/rotate`, { body: { overlapSeconds: 60 }, headers });
    const [first, again] = [await rotate(), await rotate()];
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await app.request("GET", `${KEYS}/${key.id}`)).body.key.previous.prefix).toBe(key.prefix);
  });

  it("is 404 for another account", async () => {
    const app = await startApp();
    const { key, secret } = await make(app, {});
    const { token } = await app.account("team");
    const asked = [
      ["GET", "", undefined],
      ["PATCH", "", { name: "mine" }],
      ["POST", "/rotate", {}],
      ["DELETE", "", undefined],
    ] as const;
    for (const [method, path, body] of asked) {
      const { status } = await app.request(method, `${KEYS}/${key.id}${path}`, {
        key: token,
        ...(body && { body }),
      });
      expect([method, status]).toEqual([method, 404]);
    }
    expect((await app.request("GET", `${KEYS}?query=ci`, { key: token })).body.items).toEqual([]);
    expect((await track(app, secret)).status).toBe(200);
  });

  it("cannot be given more scopes or fewer bindings than the credential that changes it", async () => {
    const app = await startApp();
    const admin = await make(app, { scopes: ["admin"] });
    const operators = await make(app, { scopes: ["operator"] });
    const bound = await make(app, { scopes: ["admin"], addresses: ["127.0.0.0/8"] });
    const refusals = [
      [admin, "PATCH", admin, "", { scopes: ["operator"] }, "insufficient_scope"],
      [admin, "PATCH", operators, "", { name: "mine" }, "insufficient_scope"],
      [admin, "POST", operators, "/rotate", {}, "insufficient_scope"],
      [bound, "PATCH", bound, "", { addresses: null }, "forbidden"],
      [bound, "PATCH", bound, "", { addresses: ["0.0.0.0/0"] }, "forbidden"],
      [bound, "POST", admin, "/rotate", {}, "forbidden"],
    ] as const;
    for (const [by, method, of, path, body, error] of refusals) {
      const refused = await app.request(method, `${KEYS}/${of.key.id}${path}`, { key: by.secret, body });
      expect([method, path, refused.body.error]).toEqual([method, path, error]);
    }
    const wider = { name: "k", scopes: ["read"] };
    expect((await app.request("POST", KEYS, { key: bound.secret, body: wider })).status).toBe(403);
    await make(app, { addresses: ["127.0.0.1"] }, { key: bound.secret });
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";

const GRAPH = "/api/v1/tools/knowledge-graph";
const MEMORY = "/api/v1/tools/agent-memory";

interface Account {
  accountId: string;
  token: string;
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): ReturnType<TestApp["request"]>;
}

/** Creates an account with these bounds. */
async function accountWith(app: TestApp, limits: Record<string, number>): Promise<Account> {
  const { accountId, token } = await app.account("enterprise");
  const changed = await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { limits } });
  expect([changed.status, changed.body.account.limits]).toEqual([200, limits]);
  return {
    accountId,
    token,
    send: (method, path, body, headers = {}) =>
      app.request(method, path, { ...(body !== undefined && { body }), key: token, headers }),
  };
}

async function boundsOf({ send }: Account) {
  const { status, body } = await send("GET", "/api/v1/usage/bounds");
  expect(status).toBe(200);
  return body.bounds;
}

function entities(count: number, size: number, prefix = "e") {
  return Array.from({ length: count }, (_, index) => ({
    id: `${prefix}${index}`,
    type: "file",
    name: `${prefix}${index}`,
    properties: { text: "x".repeat(size) },
  }));
}

describe("stored data of an account", () => {
  it("is limited in bytes: an import beyond the limit is refused whole, with the name of the bound", async () => {
    const account = await accountWith(await startApp(), { storageBytes: 100_000 });
    expect((await account.send("POST", `${GRAPH}/import`, { entities: entities(10, 5000) })).status).toBe(
      200,
    );
    const { storageBytes } = await boundsOf(account);
    expect(storageBytes).toEqual({ limit: 100_000, used: expect.any(Number) });
    expect(storageBytes.used).toBeGreaterThan(50_000);
    const refused = await account.send("POST", `${GRAPH}/import`, { entities: entities(10, 5000, "more") });
    expect(refused.status).toBe(507);
    expect(refused.headers.get("content-type")).toContain("problem+json");
    expect(refused.body).toMatchObject({
      error: "quota_exceeded",
      bound: "storageBytes",
      limit: 100_000,
      used: storageBytes.used,
    });
    expect(refused.body.detail).toMatch(/Delete what is no longer needed.*larger plan/);
    expect((await boundsOf(account)).storageBytes.used).toBe(storageBytes.used);
  });

  it("is limited by its plan, whose refusals say where to get a larger one, as the entitlements do", async () => {
    const upgradeUrl = "https://up.example/plans";
    const plansFile = join(temporaryDirectory(), "plans.json");
    writeFileSync(plansFile, JSON.stringify({ upgradeUrl }));
    const account = await accountWith(await startApp({ plansFile }), {
      storageBytes: 1000,
      requestsPerMinute: 1,
      burst: 2,
    });
    const full = await account.send("POST", `${MEMORY}/store`, { content: "We deploy. ".repeat(200) });
    expect([full.status, full.body]).toEqual([
      507,
      expect.objectContaining({ bound: "storageBytes", upgradeUrl }),
    ]);
    expect(full.body.detail).toMatch(/ Or get a larger plan: https:\/\/up\.example\/plans$/);
    const { body } = await account.send("GET", "/api/v1/entitlements/resolve");
    expect(body.upgradeUrl).toBe(upgradeUrl);
    expect(JSON.parse(Buffer.from(body.signature.split(".")[1], "base64url").toString())).toMatchObject({
      upgradeUrl,
    });
    const often = await account.send("GET", "/api/v1/entitlements/resolve");
    expect([often.status, often.body]).toEqual([
      429,
      expect.objectContaining({ window: "minute", upgradeUrl }),
    ]);
    expect(often.body.detail).toMatch(
      / Try again in \d+ (s|min), or get a larger plan: https:\/\/up\.example\/plans$/,
    );
  });

  it("is limited in documents over all projects, and deleting frees room at once", async () => {
    const account = await accountWith(await startApp(), { documents: 12 });
    const add = (id: string, project: string) =>
      account.send("POST", `${GRAPH}/entity`, { id, type: "t", name: id }, { "X-Project-Id": project });
    const statuses: number[] = [];
    for (let index = 0; index < 14; index++) statuses.push((await add(`n${index}`, `p${index % 2}`)).status);
    const stored = statuses.filter((status) => status === 201).length;
    expect(stored).toBeGreaterThan(5);
    expect(statuses.slice(stored).every((status) => status === 507)).toBe(true);
    expect((await add("more", "p0")).body).toMatchObject({ bound: "documents", limit: 12, used: 12 });
    expect(
      (await account.send("DELETE", `${GRAPH}/entity/n0`, undefined, { "X-Project-Id": "p0" })).status,
    ).toBe(200);
    expect((await add("more", "p1")).status).toBe(201);
  });

  it("beyond the bound can be read, and replaced by data of the same size or less", async () => {
    const app = await startApp();
    const account = await accountWith(app, { storageBytes: 1_000_000 });
    const replace = (text: string) =>
      account.send("POST", `${GRAPH}/entity`, { id: "one", type: "t", name: "one", properties: { text } });
    expect((await replace("x".repeat(5000))).status).toBe(201);
    expect(
      (await account.send("POST", `${MEMORY}/store`, { content: "the build fails at midnight" })).status,
    ).toBe(201);
    await app.request("PATCH", `/api/v1/accounts/${account.accountId}`, {
      body: { limits: { storageBytes: 1000 } },
    });
    expect((await replace("y".repeat(5000))).status).toBe(200);
    expect((await replace("y".repeat(5001))).status).toBe(507);
    expect((await replace("y".repeat(4000))).status).toBe(200);
    expect((await account.send("GET", GRAPH)).body.entities).toHaveLength(1);
    expect((await account.send("POST", "/api/v1/track", { type: "api_calls" })).status).toBe(200);
    expect((await account.send("POST", `${GRAPH}/import`, {})).status).toBe(200);
    // The memory is recalled, but its use cannot be recorded.
    const recalled = await account.send("GET", `${MEMORY}/recall?q=build`);
    expect([recalled.status, recalled.body.items[0].memory.uses]).toEqual([200, 0]);
    const batch = await account.send("POST", "/api/v1/events/batch", {
      batch: { id: "b1" },
      events: [{ event: "api.call" }],
    });
    expect([batch.status, batch.body.bound]).toEqual([507, "storageBytes"]);
  });

  it("includes idempotency records, which are replayed beyond the bound", async () => {
    const app = await startApp();
    const account = await accountWith(app, { documents: 1000 });
    const add = (key: string, name: string) =>
      account.send("POST", `${GRAPH}/entity`, { id: name, type: "t", name }, { "Idempotency-Key": key });
    const track = (headers: Record<string, string>) =>
      account.send("POST", "/api/v1/track", { type: "api_calls" }, headers);
    const first = await add("k1", "one");
    expect(first.status).toBe(201);
    expect((await track({ "Idempotency-Key": "t1" })).body.total.day).toBe(1);
    await app.request("PATCH", `/api/v1/accounts/${account.accountId}`, {
      body: { limits: { documents: 1 } },
    });
    const again = await add("k1", "one");
    expect([again.status, again.headers.get("idempotent-replayed"), again.text]).toEqual([
      201,
      "true",
      first.text,
    ]);
    expect((await track({ "Idempotency-Key": "t1" })).body.total.day).toBe(1);
    expect((await add("k2", "two")).body).toMatchObject({ status: 507, bound: "documents" });
    expect((await track({ "Idempotency-Key": "t2" })).status).toBe(507);
    expect((await track({})).body.total.day).toBe(2);
    await app.request("PATCH", `/api/v1/accounts/${account.accountId}`, { body: { limits: {} } });
    expect((await add("k2", "two")).status).toBe(201);
  });

  it("includes usage counters: a batch beyond the bound is refused, current uses are counted", async () => {
    const account = await accountWith(await startApp(), { storageBytes: 100_000 });
    const batch = (from: number, count: number) =>
      account.send("POST", "/api/v1/events/batch", {
        events: Array.from({ length: count }, (_, index) => ({
          event: "api.call",
          timestamp: Date.now() - (from + index) * 3_600_000,
        })),
      });
    const before = (await boundsOf(account)).storageBytes.used;
    expect((await batch(1, 100)).status).toBe(202);
    await expect
      .poll(async () => (await boundsOf(account)).storageBytes.used - before)
      .toBeGreaterThan(100 * 64);
    expect((await batch(1000, 1000)).body).toMatchObject({ status: 507, bound: "storageBytes" });
    const track = () => account.send("POST", "/api/v1/track", { type: "api_calls" });
    expect((await track()).status).toBe(200);
    // Uses whose counters exist are still counted.
    expect((await batch(1, 100)).status).toBe(202);
  });

  it("beyond the bound does not block keys, projects and users", async () => {
    const app = await startApp();
    const account = await accountWith(app, { storageBytes: 1, documents: 1 });
    const made = await account.send("POST", "/api/v1/keys", { name: "k", scopes: ["read"] });
    expect(made.status).toBe(201);
    expect((await account.send("DELETE", `/api/v1/keys/${made.body.key.id}`)).status).toBe(204);
    expect((await account.send("PUT", "/api/v1/projects/web", { name: "Web" })).status).toBe(201);
    const invited = await account.send("POST", "/api/v1/users", { email: "a@b.test", role: "member" });
    expect(invited.status).toBe(201);
    expect((await account.send("DELETE", `/api/v1/users/${invited.body.user.id}`)).status).toBe(204);
    expect((await account.send("POST", `${GRAPH}/entity`, { type: "t", name: "n" })).status).toBe(507);
  });

  it("beyond the bound makes an unauthenticated error report fail with 507, without figures", async () => {
    const app = await startApp();
    const account = await accountWith(app, { documents: 1 });
    const { body } = await account.send("GET", "/api/v1/tools/observability/config");
    const dsn = new URL(body.errorTracking.dsn);
    const refused = await app.request("POST", `/api${dsn.pathname}/store/?sentry_key=${dsn.username}`, {
      body: { message: "it failed", level: "error" },
      key: null,
    });
    expect(refused.status).toBe(507);
    expect(refused.body).toMatchObject({ error: "quota_exceeded", bound: "documents" });
    expect(refused.body).not.toHaveProperty("used");
    expect(refused.body.detail).not.toMatch(/\d/);
  });

  it("has its refusals and the store's memory in /metrics", async () => {
    const app = await startApp();
    const account = await accountWith(app, { documents: 1 });
    await account.send("POST", `${GRAPH}/entity`, { type: "t", name: "n" });
    const { text } = await app.request("GET", "/metrics");
    expect(text).toMatch(/^toolplane_storage_refusals_total\{bound="documents"\} 1$/m);
    expect(text).toMatch(/^toolplane_store_memory_bytes [1-9]/m);
    expect(text).toMatch(/^toolplane_store_memory_bound_bytes [1-9]/m);
  });
});

describe("GET /usage/bounds", () => {
  it("shows the plan's bounds, the account's own in their place, and the use", async () => {
    const app = await startApp();
    const account = await accountWith(app, { streams: 3, jobsInFlight: 5 });
    const { body } = await account.send("GET", "/api/v1/usage/bounds");
    expect(body).toEqual({
      plan: "enterprise",
      planName: "Enterprise",
      bounds: {
        storageBytes: { limit: 4 * 2 ** 30, used: expect.any(Number) },
        documents: { limit: 5_000_000, used: expect.any(Number) },
        computeSecondsPerMinute: { limit: 600, used: 0 },
        jobsInFlight: { limit: 5, used: 0 },
        streams: { limit: 3, used: 0 },
      },
      windows: [
        expect.objectContaining({ name: "minute", limit: 1000, capacity: 2000 }),
        expect.objectContaining({ name: "hour", limit: 60_000 }),
        expect.objectContaining({ name: "day", limit: 1_000_000 }),
      ],
      uses: [],
      server: { takesMore: true },
    });
    const operators = await app.request("GET", "/api/v1/usage/bounds");
    expect(operators.body.server.memory.limitBytes).toBeGreaterThan(1e8);
  });

  it("counts the event streams of a credential, which are limited", async () => {
    const app = await startApp();
    const account = await accountWith(app, { streams: 2 });
    const participants = [{ id: "ann", role: "driver" }];
    const session = await account.send("POST", "/api/v1/tools/pair/session", { participants });
    const path = `/api/v1/tools/pair/session/${session.body.session.id}/events`;
    const open = () => fetch(app.url + path, { headers: { Authorization: `Bearer ${account.token}` } });
    const streams = [await open(), await open()];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect((await boundsOf(account)).streams).toEqual({ limit: 2, used: 2 });
    const refused = await open();
    expect([refused.status, ((await refused.json()) as { window: string }).window]).toEqual([429, "streams"]);
    await streams[0]?.body?.cancel();
    await expect.poll(async () => (await boundsOf(account)).streams.used).toBe(1);
    const again = await open();
    expect(again.status).toBe(200);
    for (const stream of [streams[1], again]) await stream?.body?.cancel();
  });
});

describe("limits of an account", () => {
  it.each([
    [{ storageBytes: 0 }, "limits.storageBytes"],
    [{ documents: 1.5 }, "limits.documents"],
    [{ streams: 1e300 }, "limits.streams"],
    [{ computeSecondsPerMinute: "9" }, "limits.computeSecondsPerMinute"],
  ])("are refused with %j", async (limits, path) => {
    const app = await startApp();
    const { accountId } = await app.account("free");
    const refused = await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { limits } });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, path]);
  });
});

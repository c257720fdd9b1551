import { describe, expect, it } from "vitest";
import { anAlert, startReceiver } from "../alerts/fixture.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { calling, post, startBefore, startUpstream } from "../support/services/upstream.ts";
import { startReporting } from "../tools/observability/reporting.ts";

const HOUR = 60 * 60_000;
const BUILDS = Array.from({ length: 60 }, (_, index) => (index === 50 ? 160 : 100 + (index % 5)));

/** Starts a server whose owner's account has a webhook to a test receiver. */
async function startWithWebhook(options: Parameters<typeof startApp>[0] = {}) {
  const receiver = await startReceiver();
  const clock = fakeClock();
  const app = await startApp({ privateWebhooks: true, clock, ...options });
  const created = await app.request("POST", "/api/v1/webhooks", { body: { url: receiver.url() } });
  expect(created.status).toBe(201);
  return { app, clock, receiver, told: () => toldBy(app, clock, receiver.received) };
}

/** Waits until all alerts were delivered, and returns those received so far. */
async function toldBy(app: TestApp, clock: FakeClock, received: readonly { body: string }[] = []) {
  await app.app.services.alerts.idle();
  // Alerts that were raised together with others wait for the next round.
  clock.advance(1000);
  await app.app.services.alerts.idle();
  return received.map(({ body }) => JSON.parse(body));
}

/** Sets limits of the owner's account. */
async function limit(app: TestApp, limits: object): Promise<void> {
  const { account } = (await app.request("GET", "/api/v1/account")).body;
  const answer = await app.request("PATCH", `/api/v1/accounts/${account.id}`, { body: { limits } });
  expect(answer.status).toBe(200);
}

const use = (app: TestApp, times: number) =>
  Promise.all(
    Array.from({ length: times }, () => app.request("GET", "/api/v1/agents").then(({ status }) => status)),
  );

/** Creates a key of a user, and suspends the user. */
async function keyOfSuspended(app: TestApp): Promise<{ secret: string }> {
  const invitation = { email: "bob@example.test", role: "admin" };
  const { user } = (await app.request("POST", "/api/v1/users", { body: invitation })).body;
  const { account } = (await app.request("GET", "/api/v1/account")).body;
  const made = await app.app.services.apiKeys.create(
    {
      accountId: account.id,
      userId: user.id,
      credential: { kind: "session", id: "ses_test", scopes: ["read", "write", "admin"] },
      address: "127.0.0.1",
      requestId: "req_test",
    },
    { name: "suspended", scopes: ["read"] },
  );
  await app.request("PATCH", `/api/v1/users/${user.id}`, { body: { suspended: true } });
  return made;
}

describe("alerts of an account", () => {
  it("fire once at 80 % and once at 100 % of a limit window, and again in the next window", async () => {
    const { app, clock, told } = await startWithWebhook();
    await limit(app, { requestsPerHour: 10, requestsPerDay: 100, requestsPerMinute: 1000 });
    await use(app, 7);
    expect(await told()).toEqual([]);
    await use(app, 1);
    await use(app, 1);
    expect((await told()).map(({ type, data }) => [type, data])).toEqual([
      [
        "limit.warning",
        {
          accountId: expect.stringMatching(/^acc_/),
          window: "hour",
          limit: 10,
          used: 8,
          resetsAt: new Date(Math.ceil(clock.now() / HOUR) * HOUR).toISOString(),
        },
      ],
    ]);
    expect((await use(app, 5)).sort()).toEqual([200, 429, 429, 429, 429]);
    expect((await told()).map(({ type, data }) => [type, data.used])).toEqual([
      ["limit.warning", 8],
      ["limit.reached", 10],
    ]);
    clock.advance(HOUR);
    await use(app, 12);
    const types = (await told()).map(({ type }) => type);
    expect(types.filter((type) => type === "limit.reached")).toHaveLength(2);
  });

  it("fire once and are delivered once with two servers on one database", async () => {
    const databaseUrl = await createDatabase();
    const clock = fakeClock();
    const one = await startWithWebhook({ databaseUrl, clock });
    const other = await startApp({ databaseUrl, clock, privateWebhooks: true });
    await limit(one.app, { requestsPerHour: 20, requestsPerDay: 1000, requestsPerMinute: 1000 });
    await Promise.all([use(one.app, 30), use(other, 30)]);
    await toldBy(other, clock);
    for (let look = 0; look < 5; look++) {
      await Promise.all([toldBy(other, clock), one.told()]);
    }
    const types = (await one.told()).map(({ type }) => type);
    expect(types.filter((type) => type === "limit.reached")).toHaveLength(1);
    expect(types.filter((type) => type === "limit.warning").length).toBeLessThanOrEqual(1);
    // Many are raised on both servers at once. Each is sent by only one of them.
    const accountId = (await one.told())[0].data.accountId;
    for (let index = 0; index < 20; index++) {
      (index % 2 ? one.app : other).app.services.alerts.sink.raise(anAlert(accountId, `s${index}`));
    }
    for (let look = 0; look < 10; look++) {
      await Promise.all([toldBy(other, clock), one.told()]);
    }
    const ids = one.receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await one.told()).filter(({ type }) => type === "error_group.new")).toHaveLength(20);
  });

  it("report a refused key once an hour: revoked, expired, replaced, suspended user, other address", async () => {
    const { app, clock, told } = await startWithWebhook();
    const make = async (more: object) =>
      (await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["read"], ...more } })).body;
    const revoked = await make({ name: "revoked" });
    const expiring = await make({
      name: "expiring",
      expiresAt: new Date(clock.now() + 60_000).toISOString(),
    });
    const replaced = await make({ name: "replaced" });
    const elsewhere = await make({ name: "elsewhere", addresses: ["203.0.113.0/24"] });
    await app.request("DELETE", `/api/v1/keys/${revoked.key.id}`);
    await app.request("POST", `/api/v1/keys/${replaced.key.id}/rotate`, { body: {} });
    clock.advance(2 * 60_000);
    const suspended = await keyOfSuspended(app);
    for (const { secret } of [revoked, expiring, replaced, elsewhere, suspended]) {
      for (let times = 0; times < 3; times++) {
        const { status } = await app.request("GET", "/api/v1/account", { key: secret });
        expect(status).toBe(secret === elsewhere.secret ? 403 : 401);
      }
    }
    const refused = (await told()).filter(({ type }) => type === "key.refused");
    expect(refused.map(({ data }) => [data.name, data.reason]).sort()).toEqual([
      ["elsewhere", "outside_addresses"],
      ["expiring", "expired"],
      ["replaced", "replaced"],
      ["revoked", "revoked"],
      ["suspended", "revoked"],
    ]);
    expect(refused[0].data.address).toBe("127.0.0.1");
    clock.advance(HOUR);
    await app.request("GET", "/api/v1/account", { key: revoked.secret });
    expect((await told()).filter(({ type }) => type === "key.refused")).toHaveLength(6);
    // A key that never existed belongs to no account.
    await app.request("GET", "/api/v1/account", { key: `tool_key_${"a".repeat(43)}` });
    expect((await told()).filter(({ type }) => type === "key.refused")).toHaveLength(6);
    expect(JSON.stringify(await told())).not.toContain(revoked.secret);
  });

  it("report an anomaly with its analysis, and nothing for calm data", async () => {
    const { app, told } = await startWithWebhook();
    const analyze = (metrics: object) =>
      app.request("POST", "/api/v1/tools/anomalies/analyze", { body: { metrics } });
    await analyze({ calm: BUILDS.filter((value) => value < 150) });
    expect(await told()).toEqual([]);
    const { body } = await analyze({ build: BUILDS });
    const [alert, ...others] = await told();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      type: "anomaly.found",
      data: { projectId: "default", metric: "build", anomalyId: body.anomalies[0].id, found: 1 },
    });
  });

  it("report each new error group once", async () => {
    const receiver = await startReceiver();
    const clock = fakeClock();
    const app = await startReporting({ privateWebhooks: true, clock });
    await app.request("POST", "/api/v1/webhooks", { body: { url: receiver.url() } });
    const place = await app.placeOf();
    const event = (type: string) => ({ exception: { values: [{ type, value: "cart is undefined" }] } });
    for (let times = 0; times < 3; times++) await app.report(place, event("TypeError"));
    await app.report(place, event("RangeError"));
    const told = await toldBy(app, clock, receiver.received);
    const groups = (await app.errors()).map(({ type }) => type);
    expect(told.map(({ type, data }) => [type, data.errorType, data.message])).toEqual(
      ["TypeError", "RangeError"].map((type) => ["error_group.new", type, "cart is undefined"]),
    );
    expect(groups.sort()).toEqual(["RangeError", "TypeError"]);
  });

  it("tell a regressed error group from one that is no longer ignored", async () => {
    const receiver = await startReceiver();
    const clock = fakeClock();
    const app = await startReporting({ privateWebhooks: true, clock });
    await app.request("POST", "/api/v1/webhooks", { body: { url: receiver.url() } });
    const place = await app.placeOf();
    const happen = (type: string) =>
      app.report(place, { exception: { values: [{ type, value: "cart is undefined" }] } });
    await happen("TypeError");
    await happen("RangeError");
    const groups = Object.fromEntries(
      (await app.errors()).map(({ type, fingerprint }) => [type, fingerprint]),
    );
    const decide = async (decision: string, type: string, more: object) => {
      const body = { fingerprints: [groups[type]], ...more };
      const path = `/api/v1/tools/observability/errors/${decision}`;
      expect((await app.request("POST", path, { body })).status).toBe(200);
    };
    await decide("resolve", "TypeError", {});
    await decide("ignore", "RangeError", { more: 2 });
    clock.advance(1000);
    await happen("TypeError");
    await happen("RangeError");
    await happen("RangeError");
    const told = (await toldBy(app, clock, receiver.received)).filter(
      ({ type }) => type !== "error_group.new",
    );
    expect(told.map(({ type, data }) => [type, data.errorType])).toEqual([
      ["error_group.regressed", "TypeError"],
      ["error_group.unignored", "RangeError"],
    ]);
  });

  it("report once that an upstream is down, and once that it is up again", async () => {
    let down = true;
    const receiver = await startReceiver();
    const clock = fakeClock();
    const upstream = await startUpstream((received, res) => {
      if (down) return void res.socket?.destroy();
      res.setHeader("Content-Type", "application/json");
      res.end(JSON.stringify({ jsonrpc: "2.0", id: received.message.id, result: { content: [] } }));
    });
    const app = await startBefore(upstream.url, {}, { privateWebhooks: true, clock });
    await app.request("POST", "/api/v1/webhooks", { body: { url: receiver.url() } });
    for (let times = 0; times < 8; times++) await post(app, calling("echo"));
    expect((await toldBy(app, clock, receiver.received)).map(({ type }) => type)).toEqual(["upstream.down"]);
    down = false;
    clock.advance(60_000);
    await post(app, calling("echo"));
    const told = await toldBy(app, clock, receiver.received);
    expect(told.map(({ type, data }) => [type, data.upstream])).toEqual([
      ["upstream.down", "up"],
      ["upstream.up", "up"],
    ]);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newSecret } from "../../src/accounts/credentials/secrets.ts";
import catalogue from "../../src/metering/catalogue.json" with { type: "json" };
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { adjustableClock } from "../support/adjustable-clock.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../support/store.ts";
import { hiddenFields, type Visitor, visitor } from "../web/support/visitor.ts";

const PASSWORD = "correct horse battery";
const ONE = { requestsPerMinute: 1, burst: 1, requestsPerHour: 1, requestsPerDay: 1 };
const WORK = "/api/v1/entitlements/resolve";
const random = createRandom(systemClock);

/** Creates an account whose program has used up the minute, hour and day, and a browser of its admin. */
async function runawayAccount(app: TestApp) {
  const made = await app.request("POST", "/api/v1/accounts", {
    body: { name: "runaway", ownerEmail: "admin@example.test", plan: "free" },
  });
  const accountId: string = made.body.account.id;
  const browser = visitor(app.url);
  await enterByLink(browser, made.body.signInLink);
  const page = await browser.get("/password");
  await browser.send(page, "/password", { password: PASSWORD, repeated: PASSWORD });
  const admin = await signInDevice(app, browser, "read write admin");
  const key = await makeKey(app, admin, ["read", "write", "admin"]);
  const body = { limits: ONE };
  expect((await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body })).status).toBe(200);
  expect((await app.request("GET", WORK, { key: key.secret })).status).toBe(200);
  const refused = await app.request("GET", WORK, { key: key.secret });
  expect([refused.status, refused.body.window]).toEqual([429, "day"]);
  return { accountId, browser, admin, key };
}

async function enterByLink(browser: Visitor, link: string): Promise<void> {
  const url = new URL(link);
  const page = await browser.get(url.pathname + url.search);
  expect((await browser.send(page, "/sign-in")).status).toBe(303);
}

async function signInDevice(app: TestApp, browser: Visitor, scope: string): Promise<string> {
  const { body } = await app.request("POST", "/auth/device/code", {
    key: null,
    body: { client_id: "tool-cli", scope },
  });
  const page = await browser.get(`/device?user_code=${body.user_code}`);
  const decided = await browser.send(page, "/device", { decision: "approve" });
  expect([decided.status, decided.text]).toEqual([200, expect.any(String)]);
  const poll = { key: null, body: { device_code: body.device_code } };
  return (await app.request("POST", "/auth/device/token", poll)).body.access_token;
}

async function makeKey(app: TestApp, key: string, scopes: string[]) {
  const made = await app.request("POST", "/api/v1/keys", { key, body: { name: "k", scopes } });
  expect(made.status).toBe(201);
  return { id: made.body.key.id as string, secret: made.body.secret as string };
}

describe.each(["a directory", "PostgreSQL"])(
  "while a key exceeds all limit windows of its account, on %s",
  (kind) => {
    const start = async (plan = "team") =>
      startApp({
        plan,
        clock: adjustableClock(),
        ...(kind === "PostgreSQL" && { databaseUrl: await createDatabase() }),
      });

    it("an admin revokes the key in the console", async () => {
      const app = await start();
      const { browser, key } = await runawayAccount(app);
      expect((await browser.get("/")).status).toBe(200);
      const page = await browser.get("/keys");
      expect(page.status).toBe(200);
      const fields = { ...hiddenFields(page.html, "/keys"), key: key.id };
      expect((await browser.post("/keys", new URLSearchParams(fields).toString())).status).toBe(303);
      expect((await app.request("GET", WORK, { key: key.secret })).status).toBe(401);
    });

    it("an admin revokes the key through the API, and lists usage, users, keys and projects", async () => {
      const app = await start();
      const { admin, key } = await runawayAccount(app);
      for (const path of ["account", "users", "keys", "projects", "usage"]) {
        expect([path, (await app.request("GET", `/api/v1/${path}`, { key: admin })).status]).toEqual([
          path,
          200,
        ]);
      }
      const revoked = await app.request("DELETE", `/api/v1/keys/${key.id}`, { key: admin });
      expect(revoked.status).toBe(204);
      expect((await app.request("GET", WORK, { key: key.secret })).status).toBe(401);
      // The windows stay used up.
      expect((await app.request("GET", WORK, { key: admin })).status).toBe(429);
    });

    it("an admin signs in, approves one device on the page and another through the API", async () => {
      const app = await start();
      const { browser } = await runawayAccount(app);
      const elsewhere = visitor(app.url);
      const signIn = await elsewhere.get("/sign-in");
      const who = { email: "admin@example.test", password: PASSWORD };
      expect((await elsewhere.send(signIn, "/sign-in", who)).status).toBe(303);
      const token = await signInDevice(app, elsewhere, "read write admin");
      const { body } = await app.request("POST", "/auth/device/code", {
        key: null,
        body: { client_id: "tool-cli" },
      });
      const path = `/api/v1/device-authorizations/${body.user_code}`;
      expect((await app.request("GET", path, { key: token })).status).toBe(200);
      const approval = { key: token, body: { decision: "approve" } };
      expect((await app.request("POST", path, approval)).body).toMatchObject({ status: "approved" });
      const gone = { key: token, body: { token } };
      expect((await app.request("POST", "/auth/revoke", gone)).status).toBe(200);
      expect((await app.request("GET", "/api/v1/account", { key: token })).status).toBe(401);
      expect((await browser.get("/devices")).status).toBe(200);
    });

    it("an operator over their own limits still raises limits, lists accounts, makes links and reads metrics", async () => {
      const app = await start("free");
      const { accountId } = await runawayAccount(app);
      const { body } = await app.request("GET", "/api/v1/account");
      const own = `/api/v1/accounts/${body.account.id}`;
      expect((await app.request("PATCH", own, { body: { limits: ONE } })).status).toBe(200);
      expect((await app.request("GET", WORK)).status).toBe(200);
      expect((await app.request("GET", WORK)).status).toBe(429);
      const listed = await app.request("GET", "/api/v1/accounts");
      expect([listed.status, listed.body.items.length]).toEqual([200, 2]);
      expect((await app.request("GET", "/metrics")).status).toBe(200);
      expect((await app.request("POST", "/auth/introspect", { body: { token: "x" } })).status).toBe(200);
      const link = await app.request("POST", `/api/v1/accounts/${accountId}/sign-in-link`, { body: {} });
      expect(link.status).toBe(201);
      const raised = { body: { limits: { requestsPerMinute: 100 } } };
      expect((await app.request("PATCH", `/api/v1/accounts/${accountId}`, raised)).status).toBe(200);
      const undone = await app.request("PATCH", own, { body: { limits: {}, plan: "enterprise" } });
      expect(undone.status).toBe(200);
      expect((await app.request("GET", WORK)).status).toBe(200);
    });
  },
);

describe("the control lane", () => {
  it("has its own rate limit headers, and does not count in the account's windows", async () => {
    const app = await startApp({ plan: "free", clock: adjustableClock() });
    const before = await app.request("GET", WORK);
    for (let left = 119; left >= 117; left--) {
      const { headers } = await app.request("GET", "/api/v1/account");
      expect(headers.get("x-ratelimit-limit")).toBe("120");
      expect(headers.get("x-ratelimit-remaining")).toBe(String(left));
      expect(headers.get("x-ratelimit-policy")).toBe("120;w=60");
      expect(headers.get("ratelimit-policy")).toBe('"control";q=120;w=60');
    }
    const after = await app.request("GET", WORK);
    const left = Number(before.headers.get("x-ratelimit-remaining"));
    expect(after.headers.get("x-ratelimit-remaining")).toBe(String(left - 1));
  });

  it("refuses only the key that exceeds its own window", async () => {
    const app = await startApp({ plan: "team", clock: adjustableClock() });
    const { token } = await app.account("free");
    const [runaway, other] = [await makeKey(app, token, ["read"]), await makeKey(app, token, ["read"])];
    const statuses: number[] = [];
    for (let count = 0; count < 121; count++) {
      statuses.push((await app.request("GET", "/api/v1/account", { key: runaway.secret })).status);
    }
    expect(statuses.indexOf(429)).toBe(120);
    const refused = await app.request("GET", "/api/v1/account", { key: runaway.secret });
    expect(refused.body).toMatchObject({ error: "rate_limited", window: "control" });
    for (const key of [other.secret, token]) {
      expect((await app.request("GET", "/api/v1/account", { key })).status).toBe(200);
    }
    expect((await app.request("GET", WORK, { key: runaway.secret })).status).toBe(200);
  });

  it("counts all tokens of one sign-in together", async () => {
    const app = await startApp({ plan: "team", clock: adjustableClock() });
    const { body } = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    await app.request("POST", `/api/v1/device-authorizations/${body.user_code}`, {
      body: { decision: "approve" },
    });
    const poll = { key: null, body: { device_code: body.device_code } };
    const first = (await app.request("POST", "/auth/device/token", poll)).body;
    const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token, client_id: "a" };
    const second = (await app.request("POST", "/auth/device/token", { key: null, body: refresh })).body;
    const left = async (key: string) =>
      (await app.request("GET", "/api/v1/account", { key })).headers.get("x-ratelimit-remaining");
    expect(await left(first.access_token)).toBe("119");
    expect(await left(second.access_token)).toBe("118");
  });

  it("has a ceiling for all keys of an account, which does not stop a browser, an admin's token or an operator", async () => {
    const clock = adjustableClock();
    const plansFile = join(temporaryDirectory(), "plans.json");
    writeFileSync(plansFile, JSON.stringify({ ...catalogue, control: { requestsPerMinute: 10 } }));
    const app = await startApp({ plan: "team", clock, plansFile });
    const { browser, admin } = await runawayAccount(app);
    const keys: string[] = [];
    for (let count = 0; count < 21; count++) {
      keys.push((await makeKey(app, admin, ["read"])).secret);
      clock.advance(10_000);
    }
    clock.advance(60_000);
    const statuses: number[] = [];
    for (const key of keys) {
      for (let count = 0; count < 10; count++) {
        statuses.push((await app.request("GET", "/api/v1/account", { key })).status);
      }
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20 * 10);
    const refused = await app.request("GET", "/api/v1/account", { key: keys[20] as string });
    expect(refused.body).toMatchObject({ error: "rate_limited", window: "control-account" });
    expect((await browser.get("/keys")).status).toBe(200);
    expect((await app.request("GET", "/api/v1/keys", { key: admin })).status).toBe(200);
    expect((await app.request("GET", "/api/v1/accounts")).status).toBe(200);
  });

  it("counts a limit on one of its endpoints by credential", async () => {
    const app = await startApp({ plan: "team", clock: adjustableClock() });
    const { accountId, token } = await app.account("free");
    const limits = { endpoints: { "account.show": 1 } };
    await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { limits } });
    const other = await makeKey(app, token, ["read"]);
    for (const key of [token, other.secret]) {
      expect((await app.request("GET", "/api/v1/account", { key })).status).toBe(200);
      expect((await app.request("GET", "/api/v1/account", { key })).status).toBe(429);
    }
  });
});

describe("a program that keeps using a revoked key", () => {
  it("does not keep people at the same address from signing in", async () => {
    const app = await startApp({ clock: adjustableClock() });
    const revoked = newSecret("api_key", random);
    const statuses: number[] = [];
    for (let count = 0; count < 61; count++) {
      statuses.push((await app.request("GET", WORK, { key: revoked })).status);
    }
    expect(statuses.indexOf(429)).toBe(60);
    expect((await visitor(app.url).get("/sign-in")).status).toBe(200);
    const code = { key: null, body: { client_id: "tool-cli" } };
    expect((await app.request("POST", "/auth/device/code", code)).status).toBe(200);
  });
});

import { Client } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OWNER_KEY } from "../support/app.ts";
import { type ServeProcess, startServe } from "../support/serve.ts";
import { type PostgresServer, startPostgres } from "../support/services/postgres.ts";

const TRACKS = Number(process.env.TRACKS ?? 900);
const owner = { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" };
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = owner,
) {
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

const startOn = (database: string, plan: string) =>
  startServe(["--database", database, "--plan", plan, "--log-level", "warn"]);

/** Starts three servers on one new database. */
async function startThree(plan: string): Promise<[ServeProcess, ServeProcess, ServeProcess]> {
  const database = await postgres.createDatabase();
  const start = () => startOn(database, plan);
  return [await start(), ...(await Promise.all([start(), start()]))];
}

async function raiseLimits(url: string): Promise<void> {
  const { body } = await call(url, "GET", "/api/v1/account");
  const most = 1e9;
  const endpoints = { "usage.track": most };
  const limits = {
    requestsPerMinute: most,
    requestsPerHour: most,
    requestsPerDay: most,
    burst: most,
    endpoints,
  };
  expect((await call(url, "PATCH", `/api/v1/accounts/${body.account.id}`, { limits })).status).toBe(200);
}

describe("three servers on one database", () => {
  it("count every acknowledged use although one of them is killed", async () => {
    const servers = await startThree("enterprise");
    await raiseLimits(servers[0].url);
    let sent = 0;
    let acknowledged = 0;
    const callers = Array.from({ length: 30 }, async (_, index) => {
      const client = new Client((servers[index % 3] as ServeProcess).url);
      try {
        while (sent < TRACKS) {
          sent++;
          const { statusCode, body } = await client.request({
            method: "POST",
            path: "/api/v1/track",
            headers: owner,
            body: '{"type":"api_calls"}',
          });
          await body.text();
          if (statusCode === 200) acknowledged++;
          if (acknowledged === Math.floor(TRACKS / 3)) servers[2].child.kill("SIGKILL");
        }
      } catch (error) {
        if (index % 3 !== 2) throw error;
      } finally {
        await client.destroy();
      }
    });
    await Promise.all(callers);
    const { body } = await call(servers[0].url, "GET", "/api/v1/usage");
    expect(acknowledged).toBeGreaterThan(TRACKS / 2);
    expect(body.totals.api_calls).toBeGreaterThanOrEqual(acknowledged);
    expect(body.totals.api_calls).toBeLessThanOrEqual(sent);
  });

  it("together admit exactly as many requests as one server would", async () => {
    const servers = await startThree("free");
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        call((servers[index % 3] as ServeProcess).url, "GET", "/api/v1/entitlements/resolve"),
      ),
    );
    const admitted = answers.filter(({ status }) => status === 200).length;
    // The burst, and the tokens that the bucket gained meanwhile: one every three seconds.
    expect(admitted).toBeGreaterThanOrEqual(40);
    expect(admitted).toBeLessThanOrEqual(43);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90 - admitted);
  });

  it("refuse a revoked key on every server, and redeem a device code once", async () => {
    const servers = await startThree("enterprise");
    const [first, second, third] = servers;
    const made = await call(first.url, "POST", "/api/v1/keys", { name: "test", scopes: ["read"] });
    const key = { authorization: `Bearer ${made.body.secret}` };
    for (const { url } of servers) {
      expect((await call(url, "GET", "/api/v1/account", undefined, key)).status).toBe(200);
    }
    expect((await call(second.url, "DELETE", `/api/v1/keys/${made.body.key.id}`)).status).toBe(204);
    for (const { url } of servers) {
      const ask = async () => (await call(url, "GET", "/api/v1/account", undefined, key)).status;
      while ((await ask()) !== 401) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await ask()).toBe(401);
    }

    const json = { "content-type": "application/json" };
    const begun = await call(first.url, "POST", "/auth/device/code", { client_id: "tool-cli" }, json);
    const { device_code, user_code } = begun.body;
    await call(third.url, "POST", `/api/v1/device-authorizations/${user_code}`, { decision: "approve" });
    const polls = await Promise.all(
      Array.from({ length: 18 }, (_, index) =>
        call((servers[index % 3] as ServeProcess).url, "POST", "/auth/device/token", { device_code }, json),
      ),
    );
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("a server on a database", () => {
  it("answers 503 while the database is down, and recovers when it is back", async () => {
    const server = await startOn(await postgres.createDatabase(), "enterprise");
    const before = await call(server.url, "POST", "/api/v1/track", { type: "api_calls" });
    expect(before.status).toBe(200);
    await postgres.kill();
    const away = await call(server.url, "POST", "/api/v1/track", { type: "api_calls" });
    expect([away.status, away.body.error]).toEqual([503, "store_unavailable"]);
    expect((await call(server.url, "GET", "/health")).status).toBe(200);
    expect((await call(server.url, "GET", "/ready")).status).toBe(503);
    await postgres.start();
    let after = await call(server.url, "POST", "/api/v1/track", { type: "api_calls" });
    for (let wait = 0; after.status === 503 && wait < 100; wait++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      after = await call(server.url, "POST", "/api/v1/track", { type: "api_calls" });
    }
    expect(after.status).toBe(200);
    expect(after.body.total.day).toBeGreaterThanOrEqual(2);
  });

  it.skipIf(process.platform !== "linux")(
    "answers 503 while the database is frozen, and recovers when it thaws",
    async () => {
      const server = await startOn(await postgres.createDatabase(), "enterprise");
      const track = () => call(server.url, "POST", "/api/v1/track", { type: "api_calls" });
      expect((await track()).status).toBe(200);
      postgres.freeze();
      const health = call(server.url, "GET", "/health");
      const early = [track(), call(server.url, "GET", "/ready")];
      expect((await health).status).toBe(200);
      // The answers arrive at all, so no request waits for the frozen database.
      for (const { status } of await Promise.all(early)) expect(status).toBe(503);
      expect((await track()).status).toBe(503);
      postgres.thaw();
      let after = await track();
      for (let wait = 0; after.status === 503 && wait < 100; wait++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        after = await track();
      }
      expect(after.status).toBe(200);
      expect((await call(server.url, "GET", "/ready")).status).toBe(200);
    },
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { openConnection } from "./raw-connection.ts";

/** Ways in which requests of one account can be sent. */
type Way = "header" | "api key" | "other key" | "pipelined";

const way = fc.constantFrom<Way>("header", "api key", "other key", "pipelined");
const waves = fc.array(
  fc.record({
    pauseMs: fc.integer({ min: 0, max: 90_000 }),
    ways: fc.array(way, { minLength: 1, maxLength: 45 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Sends a wave of requests at once, and returns how many were admitted. */
async function send(app: TestApp, path: string, ways: readonly Way[], otherKey: string) {
  const get = async (key: string | null, headers: Record<string, string> = {}) =>
    (await app.request("GET", path, { key, headers })).status;
  const pipelined = ways.filter((way) => way === "pipelined").length;
  const statuses = await Promise.all([
    pipeline(app, path, pipelined),
    ...ways.map((way) => {
      if (way === "header") return get(OWNER_KEY);
      if (way === "api key") return get(null, { "X-API-Key": OWNER_KEY });
      return way === "other key" ? get(otherKey) : [];
    }),
  ]);
  const all = statuses.flat();
  expect(all).toHaveLength(ways.length);
  const admitted = all.filter((status) => status === 200).length;
  expect(all.filter((status) => status === 429)).toHaveLength(all.length - admitted);
  return admitted;
}

async function pipeline(app: TestApp, path: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const connection = await openConnection(app.url);
  connection.send(
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${OWNER_KEY}\r\n\r\n`.repeat(count),
  );
  const answers = await connection.answers(count);
  connection.socket.destroy();
  return answers.map(({ status }) => status);
}

/** Uses up the bucket, the hour and the day in turn, and ends on the next day. */
const untilTomorrow = [0, 20, 20, 20, 20, 120].map((minutes) => ({
  pauseMs: minutes * 60_000,
  ways: Array.from({ length: 45 }, (_, index): Way => (index % 2 ? "pipelined" : "header")),
}));

describe("rate limits under interleaved requests", () => {
  it("admit exactly what the bucket, the hour and the day hold", async () => {
    await fc.assert(
      fc.asyncProperty(waves, async (waves) => {
        const clock = fakeClock(Date.UTC(2026, 0, 15, 20, 58));
        const app = await startApp({ plan: "free", clock });
        const { body } = await app.request("GET", "/api/v1/account");
        const limits = { requestsPerDay: 150 };
        await app.request("PATCH", `/api/v1/accounts/${body.account.id}`, { body: { limits } });
        const otherKey = await app.key(["read"]);
        let tokens = 40;
        let hour = 100;
        let day = 150;
        for (const { pauseMs, ways } of waves) {
          const before = clock.now();
          clock.advance(pauseMs);
          const isLater = (ms: number) => Math.floor(clock.now() / ms) > Math.floor(before / ms);
          if (isLater(3_600_000)) hour = 100;
          if (isLater(86_400_000)) day = 150;
          tokens = Math.min(40, tokens + pauseMs / 3000);
          const admitted = await send(app, "/api/v1/entitlements/resolve", ways, otherKey);
          expect(admitted).toBe(Math.min(ways.length, Math.floor(tokens + 1e-9), hour, day));
          tokens -= admitted;
          hour -= admitted;
          day -= admitted;
        }
        await app.close();
      }),
      { numRuns: 15, examples: [[untilTomorrow]] },
    );
  });

  it("admit exactly an endpoint's own window, and its refusals do not use up the plan's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), waves, async (requests, waves) => {
        const clock = fakeClock();
        const app = await startApp({ clock });
        const { body } = await app.request("GET", "/api/v1/account");
        const limits = { requestsPerHour: 1_000_000, endpoints: { "agents.list": requests } };
        await app.request("PATCH", `/api/v1/accounts/${body.account.id}`, { body: { limits } });
        const otherKey = await app.key(["read"]);
        const left = async () => {
          const { headers } = await app.request("GET", "/api/v1/entitlements/resolve");
          return Number(/"hour";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
        };
        let minute = Math.floor(clock.now() / 60_000);
        let open = requests;
        for (const { pauseMs, ways } of waves) {
          clock.advance(pauseMs);
          if (Math.floor(clock.now() / 60_000) > minute) open = requests;
          minute = Math.floor(clock.now() / 60_000);
          const before = await left();
          const admitted = await send(app, "/api/v1/agents", ways, otherKey);
          expect(admitted).toBe(Math.min(ways.length, open));
          // The request that reads the remainder counts as well.
          expect(await left()).toBe(before - admitted - 1);
          open -= admitted;
        }
        await app.close();
      }),
      { numRuns: 10 },
    );
  });

  it("admit 60 unauthenticated requests of an address a minute, and do not count valid credentials", async () => {
    const app = await startApp({ clock: fakeClock() });
    const strangers = Array.from({ length: 150 }, (_, index) =>
      app.request("GET", "/api/v1/account", { key: index % 2 ? null : `tak_${index}` }),
    );
    const owners = Array.from({ length: 50 }, () => app.request("GET", "/api/v1/account"));
    const statuses = (await Promise.all(strangers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    for (const { status } of await Promise.all(owners)) expect(status).toBe(200);
  });
});

describe("a device code", () => {
  it("is redeemed at most once under concurrent polls, approvals and denials", async () => {
    const app = await startApp({ clock: fakeClock() });
    const { body } = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    const poll = () =>
      app.request("POST", "/auth/device/token", { key: null, body: { device_code: body.device_code } });
    const decide = (decision: string) =>
      app.request("POST", `/api/v1/device-authorizations/${body.user_code}`, { body: { decision } });
    const [polls, decisions] = await Promise.all([
      Promise.all(Array.from({ length: 15 }, poll)),
      Promise.all(["approve", "deny", "approve", "deny"].map(decide)),
    ]);
    const later = await Promise.all(Array.from({ length: 5 }, poll));
    const won = decisions.filter(({ status }) => status === 200).map(({ body }) => body.status);
    expect(new Set(won).size).toBe(1);
    const tokens = [...polls, ...later].filter(({ status }) => status === 200);
    expect(tokens).toHaveLength(won[0] === "approved" ? 1 : 0);
  });
});

describe("new tokens", () => {
  it("are limited by the day for a sign-in, whose replaced tokens are kept, without affecting others", async () => {
    const clock = fakeClock(Date.UTC(2026, 0, 15, 10));
    const app = await startApp({ clock });
    const runaway = await signInDevice(app);
    const other = await signInDevice(app);
    const refresh = (refresh_token: string) =>
      app.request("POST", "/auth/token", {
        key: null,
        body: { grant_type: "refresh_token", refresh_token, client_id: "tool-cli" },
      });
    const answers: Awaited<ReturnType<typeof refresh>>[] = [];
    for (let minute = 0; minute < 5; minute++) {
      answers.push(...(await Promise.all(Array.from({ length: 250 }, () => refresh(runaway)))));
      clock.advance(60_000);
    }
    // A little is gained in five minutes.
    const issued = answers.filter(({ status }) => status === 200).length;
    expect(issued).toBeGreaterThanOrEqual(1000);
    expect(issued).toBeLessThan(1010);
    const refused = answers.at(-1);
    expect(refused).toMatchObject({ status: 429, body: { error: "slow_down" } });
    expect(refused?.body.error_description).toContain("1000 requests a day for new tokens of one sign-in");
    expect(Number(refused?.headers.get("retry-after"))).toBeLessThan(100);
    expect((await refresh(other)).status).toBe(200);
    clock.advance(100_000);
    expect((await refresh(runaway)).status).toBe(200);
  });
});

/** Signs a device in as the owner. Returns its refresh token. */
async function signInDevice(app: TestApp): Promise<string> {
  const begun = await app.request("POST", "/auth/device/code", {
    key: null,
    body: { client_id: "tool-cli" },
  });
  const { device_code, user_code } = begun.body;
  const approval = { body: { decision: "approve" } };
  await app.request("POST", `/api/v1/device-authorizations/${user_code}`, approval);
  const redeemed = await app.request("POST", "/auth/device/token", { key: null, body: { device_code } });
  return redeemed.body.refresh_token;
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/system/clock.ts";
import { startApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { temporaryDirectory } from "../support/store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CODE_AND_TOKEN = { key: null, headers: { "Content-Type": "application/json" } };

/** Far enough to cross every window and lifetime, in either direction. */
const jumps = fc.array(fc.integer({ min: -40 * DAY, max: 40 * DAY }), { minLength: 1, maxLength: 6 });

describe("a wall clock that jumps", () => {
  it("grants no extra burst, locks no caller out, and keeps the rate limit headers sane", async () => {
    await fc.assert(
      fc.asyncProperty(jumps, async (jumps) => {
        const clock = fakeClock();
        const app = await startApp({ plan: "free", clock });
        const get = () => app.request("GET", "/api/v1/entitlements/resolve");
        for (let count = 0; count < 40; count++) expect((await get()).status).toBe(200);
        for (const jump of jumps) {
          clock.jump(jump);
          const refused = await get();
          expect(refused.status).toBe(429);
          const reset = Number(refused.headers.get("x-ratelimit-reset")) - clock.now() / 1000;
          expect(reset).toBeGreaterThan(0);
          expect(reset).toBeLessThanOrEqual(121);
          expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(3);
        }
        clock.advance(3_000);
        expect((await get()).status).toBe(200);
        expect((await get()).status).toBe(429);
        await app.close();
      }),
      { numRuns: 8 },
    );
  });

  it.each(["a directory", "PostgreSQL"])(
    "by a day across a restart locks no caller out, on %s",
    async (medium) => {
      const where =
        medium === "PostgreSQL"
          ? { databaseUrl: await createDatabase() }
          : { dataDirectory: temporaryDirectory() };
      let shift = 0;
      const clock: Clock = { ...systemClock, now: () => Date.now() + shift };
      let app = await startApp({ plan: "free", clock, ...where });
      const get = () => app.request("GET", "/api/v1/entitlements/resolve");
      const admitted = async () => {
        let count = 0;
        while ((await get()).status === 200) count++;
        return count;
      };
      // The burst, and the tokens that the bucket gains meanwhile: one every three seconds.
      expect(await admitted()).toBeLessThanOrEqual(42);
      for (const jump of [-DAY, DAY, DAY, -2 * DAY]) {
        await app.close();
        shift += jump;
        app = await startApp({ clock, ...where });
        expect(await admitted()).toBeLessThanOrEqual(jump > 0 ? 42 : 2);
        expect(Number((await get()).headers.get("retry-after"))).toBeLessThanOrEqual(3);
      }
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect((await get()).status).toBe(200);
    },
  );

  it("does not reopen a used hour by going back and forth", async () => {
    const clock = fakeClock();
    const app = await startApp({ plan: "free", clock });
    const admitted = async (most: number) => {
      let count = 0;
      while (count < most && (await app.request("GET", "/api/v1/entitlements/resolve")).status === 200)
        count++;
      return count;
    };
    expect(await admitted(40)).toBe(40);
    clock.advance(2 * MINUTE);
    expect(await admitted(40)).toBe(40);
    for (let round = 0; round < 3; round++) {
      clock.jump(HOUR);
      clock.jump(-HOUR);
    }
    clock.advance(2 * MINUTE);
    expect(await admitted(40)).toBe(20);
    clock.jump(2 * HOUR);
    expect(await admitted(40)).toBe(20);
  });

  it("keeps a token valid exactly while the clock is before its expiry", async () => {
    await fc.assert(
      fc.asyncProperty(jumps, async (jumps) => {
        const clock = fakeClock();
        const app = await startApp({ clock });
        const { token } = await app.account("pro");
        const expiry = clock.now() + HOUR;
        for (const jump of jumps) {
          clock.jump(jump);
          const { status } = await app.request("GET", "/api/v1/account", { key: token });
          expect(status).toBe(clock.now() < expiry ? 200 : 401);
        }
        await app.close();
      }),
      { numRuns: 8 },
    );
  });

  it("expires a device code and revives it, but never redeems it twice", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const begun = await app.request("POST", "/auth/device/code", {
      ...CODE_AND_TOKEN,
      body: { client_id: "a" },
    });
    const { device_code, user_code } = begun.body;
    const poll = async () => {
      const { body } = await app.request("POST", "/auth/device/token", {
        ...CODE_AND_TOKEN,
        body: { device_code },
      });
      return body.error ?? body.token_type;
    };
    clock.jump(20 * MINUTE);
    expect(await poll()).toBe("expired_token");
    expect((await app.request("GET", `/api/v1/device-authorizations/${user_code}`)).status).toBe(404);
    clock.jump(-30 * MINUTE);
    expect(await poll()).toBe("authorization_pending");
    const decided = await app.request("POST", `/api/v1/device-authorizations/${user_code}`, {
      body: { decision: "approve" },
    });
    expect(decided.status).toBe(200);
    clock.jump(-DAY);
    expect(await poll()).toBe("Bearer");
    clock.jump(DAY);
    expect(await poll()).toBe("invalid_grant");
  });

  it("never makes entitlements valid for longer than five minutes", async () => {
    await fc.assert(
      fc.asyncProperty(jumps, async (jumps) => {
        const clock = fakeClock();
        const app = await startApp({ clock });
        for (const jump of [0, ...jumps]) {
          clock.jump(jump);
          const { body, headers } = await app.request("GET", "/api/v1/entitlements/resolve");
          const left = Date.parse(body.expiresAt) - clock.now();
          expect(left).toBeGreaterThan(0);
          expect(left).toBeLessThanOrEqual(5 * MINUTE);
          expect(Date.parse(body.resolvedAt)).toBeLessThanOrEqual(clock.now());
          const maxAge = Number(/max-age=(\d+)/.exec(headers.get("cache-control") ?? "")?.[1]);
          expect(maxAge).toBeLessThanOrEqual(300);
        }
        await app.close();
      }),
      { numRuns: 8 },
    );
  });

  it("counts each event once, on the day that the clock showed", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const track = (id: string) =>
      app.request("POST", "/api/v1/events/batch", { body: { events: [{ event: "api.call", id }] } });
    await track("a");
    clock.jump(3 * DAY);
    await track("a");
    await track("b");
    clock.jump(-3 * DAY);
    await track("b");
    const from = new Date(clock.now()).toISOString();
    const to = new Date(clock.now() + 4 * DAY).toISOString();
    const { body } = await app.request("GET", `/api/v1/usage?from=${from}&to=${to}&type=api_calls`);
    expect(body.series.map(({ counts }: { counts: { api_calls: number } }) => counts.api_calls)).toEqual([
      1, 0, 0, 1, 0,
    ]);
  });

  it("gives the first answer to an idempotent request repeated within a day", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const track = () =>
      app.request("POST", "/api/v1/track", {
        body: { type: "api_calls" },
        headers: { "Idempotency-Key": "k" },
      });
    const first = await track();
    for (const jump of [23 * HOUR, -20 * HOUR, -10 * DAY, 5 * DAY]) {
      clock.jump(jump);
      expect((await track()).text).toBe(first.text);
    }
  });

  it("deletes a project, and tells when a key was used, at once after a clock that was ahead is set right", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    await app.request("PUT", "/api/v1/projects/shop", { body: { name: "Shop" } });
    const made = await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["read"] } });
    const use = () => app.request("GET", "/api/v1/account", { key: made.body.secret });
    const lastUse = async () => {
      const { body } = await app.request("GET", "/api/v1/keys");
      const { lastUsedAt } = body.items.find(({ name }: { name: string }) => name === "ci");
      return Date.parse(lastUsedAt);
    };
    const deleted = async () => (await app.request("DELETE", "/api/v1/projects/shop")).body;
    clock.jump(5 * DAY);
    await use();
    await expect.poll(lastUse).toBe(clock.now());
    expect(await deleted()).toMatchObject({ more: true });
    clock.jump(-5 * DAY);
    await use();
    await expect.poll(lastUse).toBe(clock.now());
    expect(await deleted()).toMatchObject({ more: false });
  });
});

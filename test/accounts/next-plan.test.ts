import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planSteps, schedulePlan, startChangingPlans } from "../../src/accounts/next-plan.ts";
import type { AuditTrail } from "../../src/audit/trail.ts";
import { ReadOnly } from "../../src/store/store.ts";
import { type RequestOptions, signIn, startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { linkOf, startMailServer } from "../support/services/mail-server.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { openTestStore, temporaryDirectory } from "../support/store.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const VISITOR = { address: "127.0.0.1", userAgent: "test", requestId: "req_test" };

async function start(options: Parameters<typeof startApp>[0] = {}) {
  const clock = fakeClock();
  const app = await startApp({ clock, ...options });
  const at = (days: number) => new Date(clock.now() + days * DAY).toISOString();
  return { app, clock, at, ...(await customer(app)) };
}

async function customer(app: TestApp) {
  const { accountId, token: signedIn } = await app.account("pro");
  const made = await app.request("POST", "/api/v1/keys", {
    key: signedIn,
    body: { name: "lasting", scopes: ["read", "write", "admin"] },
  });
  const token: string = made.body.secret;
  const path = `/api/v1/accounts/${accountId}`;
  const asked = async (method: string, of: string, options: RequestOptions = {}) => {
    const answer = await app.request(method, of, options);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  return {
    accountId,
    token,
    change: async (body: object) => (await asked("PATCH", path, { body })).account,
    refusal: async (body: object) => (await app.request("PATCH", path, { body })).body.errors?.[0],
    planOf: async () => (await asked("GET", "/api/v1/account", { key: token })).plan,
    entitled: () => asked("GET", "/api/v1/entitlements/resolve", { key: token }),
    updates: async () => {
      const of = `/api/v1/audit-log?action=account.updated&accountId=${accountId}`;
      return (await asked("GET", of)).items.map(({ before, after }: { before: object; after: object }) => [
        before,
        after,
      ]);
    },
  };
}

describe("a plan that follows", () => {
  it("begins by itself at its time, and not before", async () => {
    const { app, clock, at, token, change, planOf, entitled, updates } = await start();
    const nextPlan = { plan: "free", at: at(14) };
    const shown = { ...nextPlan, planName: "Free" };
    expect(await change({ nextPlan })).toMatchObject({ plan: "pro", planName: "Pro", nextPlan: shown });
    expect(await entitled()).toMatchObject({ plan: "pro", nextPlan });
    expect((await app.request("GET", "/api/v1/account", { key: token })).body.nextPlan).toEqual(shown);
    clock.advance(14 * DAY - MINUTE);
    expect(await planOf()).toBe("pro");
    const minuteLater = () => {
      clock.advance(MINUTE);
      return planOf();
    };
    await expect.poll(minuteLater).toBe("free");
    expect(await entitled()).not.toHaveProperty("nextPlan");
    const warned = (await app.request("GET", "/api/v1/audit-log?accountId=all&action=account.plan_ending"))
      .body;
    expect(warned.items).toMatchObject([{ actor: {}, after: { plan: "pro", nextPlan } }]);
    expect(await updates()).toEqual([
      [{ plan: "pro", nextPlan }, { plan: "free" }],
      [{}, { nextPlan }],
    ]);
  });

  it("is taken away by null, or by a plan from now on, and otherwise left as it is", async () => {
    const { clock, at, change, planOf } = await start();
    const nextPlan = { plan: "free", at: at(1) };
    for (const cancels of [{ nextPlan: null }, { plan: "pro" }, { plan: "team" }]) {
      await change({ plan: "pro", nextPlan });
      expect((await change({ name: "Renamed", limits: {} })).nextPlan).toMatchObject(nextPlan);
      expect(await change(cancels)).not.toHaveProperty("nextPlan");
    }
    clock.advance(2 * DAY);
    await change({ nextPlan: { plan: "enterprise", at: at(1) } });
    expect(await planOf()).toBe("team");
  });

  it("must be another plan that there is, at a time to come, and fit the account's own limits", async () => {
    const { at, change, refusal } = await start();
    const soon = at(1);
    expect(await refusal({ nextPlan: { plan: "gold", at: soon } })).toMatchObject({ path: "nextPlan.plan" });
    expect(await refusal({ nextPlan: { plan: "pro", at: soon } })).toMatchObject({ path: "nextPlan.plan" });
    expect(await refusal({ plan: "team", nextPlan: { plan: "team", at: soon } })).toBeDefined();
    expect(await refusal({ nextPlan: { plan: "free", at: at(0) } })).toMatchObject({ path: "nextPlan.at" });
    expect(await refusal({ nextPlan: { plan: "free", at: "soon" } })).toMatchObject({ path: "nextPlan.at" });
    await change({ limits: { burst: 150 } });
    const outgrown = await refusal({ nextPlan: { plan: "enterprise", at: soon } });
    expect(outgrown).toMatchObject({ path: "limits.burst" });
    expect(await change({ nextPlan: { plan: "team", at: soon } })).toMatchObject({ plan: "pro" });
  });

  it("may be set only by an operator", async () => {
    const { app, accountId, token, at } = await start();
    const admin = await app.key(["read", "write", "admin"]);
    const body = { nextPlan: { plan: "enterprise", at: at(1) } };
    for (const key of [token, admin]) {
      const { status } = await app.request("PATCH", `/api/v1/accounts/${accountId}`, { key, body });
      expect(status).toBe(403);
    }
  });

  it("begins late after a server that was off, also for accounts that are suspended", async () => {
    const dataDirectory = temporaryDirectory();
    const { app, clock, at, accountId, change } = await start({ dataDirectory });
    await change({ suspended: true, nextPlan: { plan: "free", at: at(1) } });
    await app.close();
    clock.jump(5 * DAY);
    const again = await startApp({ dataDirectory, clock });
    const planNow = async () =>
      (await again.request("GET", "/api/v1/accounts")).body.items.find(
        ({ id }: { id: string }) => id === accountId,
      ).plan;
    await expect.poll(planNow).toBe("free");
  });

  it("begins once on two servers of one database", async () => {
    const databaseUrl = await createDatabase();
    const { clock, at, change, planOf, updates } = await start({ databaseUrl });
    await startApp({ databaseUrl, clock });
    await change({ nextPlan: { plan: "free", at: at(2 / (24 * 60)) } });
    clock.advance(2 * MINUTE);
    await expect.poll(planOf).toBe("free");
    expect(await updates()).toHaveLength(2);
  });

  it("is what the last change says, whatever was set before", async () => {
    const { clock, change, entitled } = await start();
    const step = fc.oneof(
      fc.record({ plan: fc.constantFrom("free", "pro", "team"), days: fc.integer({ min: 1, max: 9 }) }),
      fc.constantFrom("free", "pro", "team", null),
      fc.record({ wait: fc.integer({ min: 1, max: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        let model: { plan: string; next?: { plan: string; at: number } } = { plan: "pro" };
        await change({ plan: "pro" });
        for (const each of steps) {
          if (each === null) {
            await change({ nextPlan: null });
            model = { plan: model.plan };
          } else if (typeof each === "string") {
            await change({ plan: each });
            model = { plan: each };
          } else if ("wait" in each) {
            clock.advance(each.wait * DAY);
            if (model.next && model.next.at <= clock.now()) model = { plan: model.next.plan };
          } else if (each.plan !== model.plan) {
            const at = clock.now() + each.days * DAY;
            await change({ nextPlan: { plan: each.plan, at: new Date(at).toISOString() } });
            model = { ...model, next: { plan: each.plan, at } };
          }
          await expect.poll(async () => (await entitled()).plan).toBe(model.plan);
          expect(Date.parse((await entitled()).nextPlan?.at)).toEqual(model.next?.at ?? Number.NaN);
        }
      }),
      { numRuns: 15 },
    );
  });
});

it("an account is told three days before its plan ends, once, and not of what was set later than that", async () => {
  const mail = await startMailServer();
  const clock = fakeClock();
  const at = (days: number) => new Date(clock.now() + days * DAY).toISOString();
  const app = await startApp({
    clock,
    mail: { smtpUrl: mail.url, from: "plane@plane.test" },
    owner: { email: "owner@plane.test", apiKey: "owner-key-for-tests-0123456789abcdef" },
  });
  const { alerts, post } = app.app.services;
  /** Lets days pass, and returns the lines about plans in the letters of these. */
  const lines = async (days: number) => {
    const before = mail.received.length;
    for (let hour = 0; hour < days * 24; hour++) {
      clock.advance(DAY / 24);
      await alerts.idle();
      await post?.idle();
    }
    return mail.received.slice(before).flatMap(({ text }) => /The plan .* follows/.exec(text)?.[0] ?? []);
  };
  const own = (await app.request("GET", "/api/v1/account")).body.account.id;
  const change = (body: object) => app.request("PATCH", `/api/v1/accounts/${own}`, { body });
  await change({ nextPlan: { plan: "free", at: at(2) } });
  expect(await lines(1)).toEqual([]);
  const ends = at(10);
  await change({ nextPlan: { plan: "team", at: ends } });
  expect(await lines(6)).toEqual([]);
  const line = `The plan Enterprise ends on ${ends.slice(0, 16).replace("T", " ")} (UTC), and Team follows`;
  expect(await lines(2)).toEqual([line]);
  expect(await lines(2)).toEqual([]);
});

it("a store that takes no writes is asked once a minute, however many plans have ended", async () => {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: [planSteps] });
  await store.transact(async (tx) => {
    for (const id of ["acc_1", "acc_2", "acc_3"]) {
      await schedulePlan(tx, id, { after: { plan: "free", at: clock.now() + 1 }, now: clock.now() });
    }
  });
  clock.advance(1);
  const asked: string[] = [];
  const audit: AuditTrail = {
    transact: ({ accountId = "" }) => {
      asked.push(accountId);
      return Promise.reject(new ReadOnly("back at noon"));
    },
    refused: async () => {},
  };
  const errors: object[] = [];
  const log = { error: (details: object) => void errors.push(details) };
  const { stop } = startChangingPlans({ store, audit, clock, log, onEnding: async () => {} });
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  await stop();
  expect([asked, errors]).toEqual([["acc_1"], []]);
});

describe("who signs up where the plans file has a trial", () => {
  it("begins on its plan, and goes on with the first", async () => {
    const plansFile = join(temporaryDirectory(), "plans.json");
    writeFileSync(plansFile, JSON.stringify({ trial: { plan: "team", days: 14 } }));
    const mail = await startMailServer();
    const clock = fakeClock();
    const app = await startApp({
      ...{ clock, plansFile, signUp: "open" },
      mail: { smtpUrl: mail.url, from: "plane@plane.test" },
    });
    const { linkMail, signIn: ways } = app.app.services;
    const arriving = mail.next();
    await linkMail?.request({ email: "grace@example.test", next: "/" }, VISITOR);
    const link = new URL(linkOf(await arriving)).searchParams.get("link") ?? "";
    const session = await ways.consumeLink(link, VISITOR);
    const grace = await ways.lookUp(session?.secret ?? "");
    const listed = async () =>
      (await app.request("GET", "/api/v1/accounts")).body.items.find(
        ({ id }: { id: string }) => id === grace?.account.id,
      );
    const at = new Date(clock.now() + 14 * DAY).toISOString();
    expect(await listed()).toMatchObject({ plan: "team", nextPlan: { plan: "free", planName: "Free", at } });
    const [{ after }] = (await app.request("GET", "/api/v1/audit-log?accountId=all&action=account.signed_up"))
      .body.items;
    expect(after).toMatchObject({ plan: "team", nextPlan: { plan: "free", at } });
    clock.advance(14 * DAY);
    await expect.poll(async () => (await listed()).plan).toBe("free");
  });
});

it("an account that an operator makes may begin with a trial", async () => {
  const { app, clock, at } = await start();
  const nextPlan = { plan: "free", at: at(30) };
  const body = { name: "Acme", ownerEmail: "ada@example.test", plan: "team", nextPlan };
  const made = await app.request("POST", "/api/v1/accounts", { body });
  expect(made.body.account).toMatchObject({ plan: "team", nextPlan });
  const key = await signIn(app, made.body.account.id, made.body.signInLink);
  clock.advance(30 * DAY);
  const planOf = async () =>
    (await app.request("GET", "/api/v1/accounts")).body.items.find(
      ({ id }: { id: string }) => id === made.body.account.id,
    ).plan;
  await expect.poll(planOf).toBe("free");
  expect(key).toBeDefined();
  const wrong = { ...body, ownerEmail: "bob@example.test", nextPlan: { plan: "team", at: at(1) } };
  expect((await app.request("POST", "/api/v1/accounts", { body: wrong })).status).toBe(400);
});

import { describe, expect, it } from "vitest";
import { apiKeys } from "../../src/accounts/model.ts";
import { createAuditLog } from "../../src/audit/log.ts";
import {
  type Actor,
  auditCollections,
  auditDays,
  auditIndex,
  auditSpace,
  facetPrefix,
} from "../../src/audit/model.ts";
import { createAuditTrail, KEPT_MS, SERVER } from "../../src/audit/trail.ts";
import type { Scope } from "../../src/contract/caller.ts";
import { collection, StoreUnavailable } from "../../src/store/store.ts";
import { fakeClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { openTestStore, STORES } from "../support/store.ts";

const things = collection<{ n: number }>("things");
const BY: Actor = {
  accountId: "acc_a",
  userId: "usr_a",
  credential: { kind: "api_key", id: "key_a" },
  address: "192.0.2.1",
  requestId: "req_a",
};
const TARGET = { kind: "thing", id: "thing_1", name: "one" };

const OPERATOR = "usr_operator";

async function start(on: (typeof STORES)[number] = "a directory") {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: [things, apiKeys, ...auditCollections], on });
  const told: { audit?: object }[] = [];
  const trail = createAuditTrail({
    store,
    random: seededRandom(clock),
    log: { info: (details) => told.push(details) },
    whoActs: async (_, { userId }) => ({ isOperator: userId === OPERATOR }),
  });
  const log = createAuditLog({ store });
  const entries = async () => (await log.page("all", {}, { limit: 500 })).items.reverse();
  const change = (by: Actor, n: number, extra = {}) =>
    trail.transact(by, async (tx, note) => {
      await tx.put(things, "acc_a", "thing_1", { n });
      note({ action: "thing.changed", target: TARGET, before: { n: n - 1 }, after: { n }, ...extra });
      return n;
    });
  return { clock, store, trail, told, entries, change };
}

describe.each(STORES)("an audited change, on %s", (on) => {
  it("is stored with actor, target, values and time, and logged after the commit", async () => {
    const { clock, told, entries, change } = await start(on);
    expect(await change(BY, 2)).toBe(2);
    const [entry] = await entries();
    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: clock.now(),
      accountId: "acc_a",
      actor: BY,
      action: "thing.changed",
      target: TARGET,
      outcome: "done",
      before: { n: 1 },
      after: { n: 2 },
    });
    expect(told).toEqual([{ audit: { ...entry, at: "2026-01-15T12:00:00.000Z" } }]);
  });

  it("is committed along with its entry or not at all", async () => {
    const { store, trail, told, entries } = await start(on);
    const failing = trail.transact(BY, async (tx, note) => {
      note({ action: "thing.changed", target: TARGET });
      await tx.put(things, "acc_a", "thing_1", { n: 1 });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect([await entries(), told]).toEqual([[], []]);
    expect(await store.transact((tx) => tx.get(things, "acc_a", "thing_1"))).toBeUndefined();
  });

  it("has one entry each when many run at once", async () => {
    const { entries, change } = await start(on);
    await Promise.all(Array.from({ length: 20 }, (_, n) => change(BY, n)));
    const all = await entries();
    expect(all.map(({ after }) => after?.n).sort()).toEqual(Array.from({ length: 20 }, (_, n) => n).sort());
    expect(new Set(all.map(({ id }) => id)).size).toBe(20);
  });
});

describe("the audit trail", () => {
  it("logs nothing if the commit fails", async () => {
    const { store, clock } = await start();
    const told: object[] = [];
    const trail = createAuditTrail({
      store: {
        ...store,
        transact: async (work) => {
          await store.transact(work);
          throw new StoreUnavailable("away");
        },
      },
      random: seededRandom(clock),
      log: { info: (details) => told.push(details) },
    });
    const changing = trail.transact(BY, async (_, note) => note({ action: "thing.changed", target: TARGET }));
    await expect(changing).rejects.toThrow("away");
    expect(told).toEqual([]);
  });

  it("stores only the members that differ, at any depth, and only the sides given", async () => {
    const { trail, entries } = await start();
    const noted = async (before: object | undefined, after: object | undefined) => {
      await trail.transact(BY, async (_, note) => note({ action: "a.b", target: TARGET, before, after }));
      const { before: left, after: right } = (await entries()).at(-1) ?? {};
      return [left, right];
    };
    const same = { scopes: ["read"], limits: { a: 1 } };
    expect(await noted({ ...same, name: "x" }, { ...same, scopes: ["read"], name: "y" })).toEqual([
      { name: "x" },
      { name: "y" },
    ]);
    expect(await noted({ limits: { a: 1 } }, { limits: { a: 2 } })).toEqual([
      { limits: { a: 1 } },
      { limits: { a: 2 } },
    ]);
    expect(await noted({ plan: "free" }, {})).toEqual([{ plan: "free" }, {}]);
    expect(await noted(undefined, { name: "x", expiresAt: undefined })).toEqual([undefined, { name: "x" }]);
    expect(await noted(undefined, undefined)).toEqual([undefined, undefined]);
  });

  it("stores and logs nothing of a change that sets what was set already", async () => {
    const { trail, told, entries } = await start();
    const same = { name: "x", limits: { a: 1 } };
    const setting = (after: object) =>
      trail.transact(BY, async (_, note) => {
        note({ action: "a.b", target: TARGET, before: same, after });
        return "done";
      });
    expect(await setting({ ...same, limits: { a: 1 } })).toBe("done");
    expect([await entries(), told]).toEqual([[], []]);
    await setting({ ...same, limits: {} });
    expect(await entries()).toHaveLength(1);
  });

  it.each(["secretHash", "passwordHash", "clientSecret", "hash", "secret"])(
    "refuses an entry with the member %s, along with its change",
    async (name) => {
      const { trail, store, entries } = await start();
      for (const side of ["before", "after"]) {
        const changing = trail.transact(BY, async (tx, note) => {
          await tx.put(things, "acc_a", "thing_1", { n: 1 });
          note({ action: "thing.changed", target: TARGET, [side]: { [name]: "x" } });
        });
        await expect(changing).rejects.toThrow(name);
      }
      expect(await entries()).toEqual([]);
      expect(await store.transact((tx) => tx.get(things, "acc_a", "thing_1"))).toBeUndefined();
    },
  );

  it("indexes entries by action, actor and target within their own account", async () => {
    const { store, entries, change } = await start();
    await change(BY, 1);
    await change({ ...BY, accountId: "acc_b", userId: "usr_b" }, 2);
    await change({ address: "", requestId: "" }, 3);
    const [first, second, third] = (await entries()).map(({ id }) => id);
    const found = (accountId: string | undefined, prefix: string) =>
      store.transact(async (tx) =>
        (await tx.ids(auditIndex, auditSpace(accountId), { order: "ascending" }))
          .filter((id) => id.startsWith(prefix))
          .map((id) => id.slice(prefix.length)),
      );
    for (const [accountId, id] of [
      ["acc_a", first],
      ["acc_b", second],
      [undefined, third],
    ] as const) {
      expect(await found(accountId, facetPrefix("action", "thing.changed"))).toEqual([id]);
      expect(await found(accountId, facetPrefix("target", TARGET.id))).toEqual([id]);
    }
    expect(await found("acc_a", facetPrefix("actor", "usr_a"))).toEqual([first]);
    expect(await found("acc_a", facetPrefix("actor", "usr_b"))).toEqual([]);
    expect(await found(undefined, "actor/")).toEqual([]);
  });

  it("stores a refusal in the log of the account concerned or of the instance", async () => {
    const { trail, entries } = await start();
    const nobody: Actor = { address: "192.0.2.9", requestId: "req_b" };
    await trail.refused(nobody, { action: "session.started", target: TARGET, accountId: "acc_a" });
    await trail.refused(nobody, { action: "session.started", target: TARGET, accountId: null });
    expect((await entries()).map(({ accountId, outcome }) => [accountId, outcome])).toEqual([
      ["acc_a", "refused"],
      [undefined, "refused"],
    ]);
  });

  const fill = ({ store }: Awaited<ReturnType<typeof start>>, outcome: string, count = 5000) =>
    store.transact((tx) => tx.put(auditDays, auditSpace("acc_a"), `${outcome}/2026-01-15`, { count }));

  it("allows 2,000 changes a day for each user", async () => {
    const { clock, store, entries, change } = await start();
    await store.transact((tx) => tx.put(auditDays, auditSpace("acc_a"), "usr_a/2026-01-15", { count: 1999 }));
    await change(BY, 6);
    const untilTomorrow = (Date.parse("2026-01-16") - clock.now()) / 1000;
    await expect(change(BY, 7)).rejects.toMatchObject({
      error: "rate_limited",
      extras: {
        headers: { "Retry-After": String(Math.ceil(untilTomorrow)) },
        members: { window: "audit", retryAfterSeconds: Math.ceil(untilTomorrow) },
      },
    });
    expect(await store.transact((tx) => tx.get(things, "acc_a", "thing_1"))).toEqual({ n: 6 });
    await change({ ...BY, userId: "usr_b" }, 8);
    await change({ ...BY, accountId: "acc_b" }, 9);
    clock.advance(24 * 60 * 60_000);
    await change(BY, 10);
    expect((await entries()).map(({ after }) => after?.n)).toEqual([6, 8, 9, 10]);
  });

  it("allows 100 changes for each user once the account's log is full", async () => {
    const started = await start();
    await fill(started, "done");
    const { change, trail } = started;
    for (let n = 0; n < 100; n++) await change(BY, n);
    await expect(change(BY, 100)).rejects.toMatchObject({ error: "rate_limited" });
    await change({ ...BY, userId: "usr_admin" }, 101);
    // The server itself is not bounded; a stranger is.
    await change({ ...SERVER, accountId: "acc_a" }, 102);
    const stranger = change({ accountId: "acc_a", address: "192.0.2.9", requestId: "req_b" }, 103);
    await expect(stranger).rejects.toMatchObject({ error: "rate_limited" });
    await trail.refused(BY, { action: "session.started", target: TARGET });
  });

  it("sets no limit for an operator's credential, but one for their keys with fewer scopes", async () => {
    const started = await start();
    await fill(started, "done");
    const { change, store } = started;
    await store.transact((tx) =>
      tx.put(auditDays, auditSpace("acc_a"), `${OPERATOR}/2026-01-15`, { count: 2000 }),
    );
    const operator = (...scopes: Scope[]) => ({
      ...BY,
      userId: OPERATOR,
      credential: { kind: "api_key" as const, id: "key_o", scopes },
    });
    for (const n of [1, 2, 3]) await change(operator("operator"), n);
    expect(await started.entries()).toHaveLength(3);
    // An operator's key with fewer scopes is bounded: it may be in other hands.
    await expect(change(operator("read", "write", "admin"), 4)).rejects.toMatchObject({
      error: "rate_limited",
    });
    expect(await started.entries()).toHaveLength(3);
  });

  it("leaves an operator without limit while they have no credential yet", async () => {
    const started = await start();
    await fill(started, "done");
    await started.store.transact(async (tx) => {
      for (const userId of [OPERATOR, "usr_b"])
        await tx.put(auditDays, auditSpace("acc_a"), `${userId}/2026-01-15`, { count: 2000 });
    });
    const { accountId, address, requestId } = BY;
    const signingIn = { accountId, address, requestId };
    await started.change({ ...signingIn, userId: OPERATOR }, 1);
    await expect(started.change({ ...signingIn, userId: "usr_b" }, 2)).rejects.toMatchObject({
      error: "rate_limited",
    });
    expect(await started.entries()).toHaveLength(1);
  });

  const STRANGER: Actor = { address: "192.0.2.9", requestId: "req_b" };

  it("keeps 1,000 entries of strangers a day, tells the others, and takes no room from users for them", async () => {
    const { store, told, entries, change, trail } = await start();
    await store.transact((tx) =>
      Promise.all(
        ["done", "refused"].map((outcome) =>
          tx.put(auditDays, auditSpace(undefined), `strangers/${outcome}/2026-01-15`, { count: 999 }),
        ),
      ),
    );
    const attempt = { action: "session.started", target: TARGET, accountId: null };
    for (const n of [1, 2]) await change(STRANGER, n);
    for (const _ of [1, 2]) await trail.refused(STRANGER, attempt);
    expect((await entries()).map(({ outcome, after }) => [outcome, after?.n])).toEqual([
      ["done", 1],
      ["refused", undefined],
    ]);
    expect(told).toHaveLength(4);
    await change({ ...BY, accountId: undefined }, 3);
    await change(SERVER, 4);
    expect(await entries()).toHaveLength(4);
  });

  it("keeps entries of strangers for 30 days, but what a token does in its account for 400", async () => {
    const { clock, store, trail, entries, change } = await start();
    await change(STRANGER, 1);
    await trail.refused({ ...STRANGER, accountId: "acc_a" }, { action: "session.started", target: TARGET });
    await change({ ...STRANGER, accountId: "acc_a" }, 2);
    await change(SERVER, 3);
    clock.advance(30 * 24 * 60 * 60_000 - 1);
    expect(await entries()).toHaveLength(4);
    clock.advance(1);
    expect((await entries()).map(({ after }) => after?.n)).toEqual([2, 3]);
    clock.advance(KEPT_MS);
    expect(await entries()).toEqual([]);
    for (const space of [auditSpace("acc_a"), auditSpace(undefined)])
      expect(await store.transact((tx) => tx.ids(auditIndex, space))).toEqual([]);
  });

  it("leaves nothing in the store once its entries have expired", async () => {
    const { clock, store, trail, change } = await start();
    await change(BY, 1);
    await change(SERVER, 2);
    for (const by of [BY, STRANGER]) await trail.refused(by, { action: "session.started", target: TARGET });
    clock.advance(KEPT_MS);
    const left: object[] = [];
    for await (const item of store.dump()) left.push(item);
    expect(left).toEqual([{ collection: "things", space: "acc_a", id: "thing_1", value: { n: 2 } }]);
  });

  it("keeps 5,000 refusals a day for an account and drops the others without limiting its changes", async () => {
    const started = await start();
    await fill(started, "refused", 4999);
    const refuse = (action: string, by = BY) => started.trail.refused(by, { action, target: TARGET });
    await refuse("the last");
    await refuse("one more");
    await refuse("of another", { ...BY, accountId: "acc_b" });
    await started.change(BY, 1);
    started.clock.advance(24 * 60 * 60_000);
    await refuse("next day");
    const kept = (await started.entries()).map(({ outcome, action }) => [outcome, action]);
    expect(kept).toEqual([
      ["refused", "the last"],
      ["refused", "of another"],
      ["done", "thing.changed"],
      ["refused", "next day"],
    ]);
  });

  it("deletes entries and their index after 400 days", async () => {
    const { clock, store, entries, change } = await start();
    await change(BY, 1);
    clock.advance(KEPT_MS - 1);
    expect(await entries()).toHaveLength(1);
    clock.advance(1);
    expect(await entries()).toEqual([]);
    expect(await store.transact((tx) => tx.ids(auditIndex, auditSpace("acc_a")))).toEqual([]);
  });
});

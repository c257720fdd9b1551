import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditFilter, Whose } from "../../src/audit/filter.ts";
import { createAuditLog } from "../../src/audit/log.ts";
import { type AuditEntry, auditCollections } from "../../src/audit/model.ts";
import { createAuditTrail } from "../../src/audit/trail.ts";
import { fakeClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { openTestStore, STORES } from "../support/store.ts";

const USERS = ["usr_a", "usr_b", "usr_c"];
const ACTIONS = ["key.created", "key.revoked", "session.started"];
const TARGETS = ["key_1", "key_2", "usr_b"];

async function start(on: (typeof STORES)[number]) {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: auditCollections, on });
  const names: Record<string, string> = { usr_a: "Ada@example.com" };
  const trail = createAuditTrail({
    store,
    whoActs: async (_, { userId = "" }) => ({ name: names[userId] }),
    random: seededRandom(clock),
    log: { info: () => {} },
  });
  return { clock, store, trail, log: createAuditLog({ store }) };
}

/** Starts a log with five hundred entries of three accounts, a second apart. */
async function filled(on: (typeof STORES)[number]) {
  const started = await start(on);
  const { clock, store, trail, log } = started;
  const random = seededRandom(clock, "entries");
  const pick = <T>(list: readonly T[]) => list[(random.bytes(1)[0] ?? 0) % list.length] as T;
  for (let index = 0; index < 500; index++) {
    clock.advance(1000);
    const by = {
      accountId: pick(["acc_a", "acc_a", "acc_b", undefined]),
      userId: pick(USERS),
      address: "192.0.2.1",
      requestId: `req_${index}`,
    };
    const change = {
      action: pick(ACTIONS),
      target: { kind: "key", id: pick(TARGETS), name: pick(["ci", "Deploy"]) },
    };
    if (index % 7 === 0) await trail.refused(by, change);
    else await trail.transact(by, async (_, note) => note(change));
  }
  const all = await allOf(log, "all", {}, 200);
  expect(all).toHaveLength(500);
  return { ...started, store, all };
}

async function allOf(
  log: ReturnType<typeof createAuditLog>,
  whose: Whose,
  filter: AuditFilter,
  limit: number,
): Promise<AuditEntry[]> {
  const items: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.page(whose, filter, { limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

describe.each(STORES)("the audit log, on %s", (on) => {
  it("returns exactly the matching entries, newest first, for any combination of filters", async () => {
    const { log, all } = await filled(on);
    expect(all.map(({ id }) => id)).toEqual(
      [...all]
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    const times = all.map(({ at }) => at);
    const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const filters = fc.record({
      action: maybe(ACTIONS),
      actor: maybe(USERS),
      target: maybe(TARGETS),
      outcome: maybe(["done", "refused"] as const),
      since: maybe(times),
      until: maybe(times),
      query: maybe(["ADA@", "deploy", "req_49", "nothing"]),
    });
    const whose = fc.constantFrom<Whose>("all", { accountId: "acc_a" }, { accountId: undefined });
    const limits = fc.constantFrom(1, 7, 50, 200);
    await fc.assert(
      fc.asyncProperty(whose, filters, limits, async (which, filter, limit) => {
        const expected = all.filter((entry) => {
          const { actor, target, action, outcome, at, accountId } = entry;
          const words = JSON.stringify(entry).toLowerCase();
          return (
            (which === "all" || which.accountId === accountId) &&
            (filter.action === undefined || filter.action === action) &&
            (filter.actor === undefined || filter.actor === actor.userId) &&
            (filter.target === undefined || filter.target === target.id) &&
            (filter.outcome === undefined || filter.outcome === outcome) &&
            (filter.since === undefined || at >= filter.since) &&
            (filter.until === undefined || at < filter.until) &&
            (filter.query === undefined || words.includes(filter.query.toLowerCase()))
          );
        });
        expect(await allOf(log, which, filter, limit)).toEqual(expected);
      }),
      { numRuns: on === "PostgreSQL" ? 15 : 60 },
    );
  });

  it("includes an entry at its own time in since, and excludes it in until", async () => {
    const clock = fakeClock();
    const now = () => {
      clock.advance(1);
      return clock.now();
    };
    const { store, log } = await start(on);
    const trail = createAuditTrail({ store, random: seededRandom({ now }), log: { info: () => {} } });
    const by = { accountId: "acc_a", userId: "usr_a", address: "", requestId: "req_1" };
    const change = { action: "key.created", target: { kind: "key", id: "key_1" } };
    await trail.transact(by, async (_, note) => note(change));
    const [entry] = (await log.page({ accountId: "acc_a" }, {}, { limit: 1 })).items;
    const since = await log.page({ accountId: "acc_a" }, { since: entry?.at }, { limit: 1 });
    expect(since.items).toEqual([entry]);
    const until = await log.page({ accountId: "acc_a" }, { until: entry?.at }, { limit: 1 });
    expect(until.items).toEqual([]);
  });

  it("examines about 1,000 entries per page and continues behind them", async () => {
    const { store, log } = await start(on);
    const trail = createAuditTrail({
      store,
      random: seededRandom(fakeClock(), "many"),
      log: { info: () => {} },
    });
    const by = { accountId: "acc_a", userId: "usr_a", address: "", requestId: "req_1" };
    const target = { kind: "key", id: "key_1" };
    await trail.transact(by, async (_, note) => note({ action: "the.first", target }));
    for (let round = 0; round < 12; round++) {
      await trail.transact({ ...by, userId: `usr_${round}` }, async (_, note) => {
        for (let index = 0; index < 100; index++) note({ action: "key.created", target });
      });
    }
    const asked = { query: "the.first" };
    const first = await log.page({ accountId: "acc_a" }, asked, { limit: 50 });
    expect([first.items, first.nextCursor]).toEqual([[], expect.any(String)]);
    const second = await log.page({ accountId: "acc_a" }, asked, { limit: 50, cursor: first.nextCursor });
    expect([second.items.length, second.nextCursor]).toEqual([1, undefined]);
    // An index finds the entries without reading others.
    const indexed = await log.page({ accountId: "acc_a" }, { action: "the.first" }, { limit: 50 });
    expect([indexed.items.length, indexed.nextCursor]).toEqual([1, undefined]);
  });
});

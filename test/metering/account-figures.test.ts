import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountsCollections } from "../../src/accounts/collections.ts";
import { type Account, accounts, accountUses, projects } from "../../src/accounts/model.ts";
import type { PageRequest } from "../../src/accounts/page.ts";
import {
  type AccountOrder,
  type AccountsQuestion,
  createAccountDirectory,
} from "../../src/metering/account-figures.ts";
import { meteringCollections } from "../../src/metering/collections.ts";
import type { WindowLeft } from "../../src/metering/limits/bounds-report.ts";
import { countUses, type Use } from "../../src/metering/usage/counters.ts";
import { type CountedUse, countByOrigin, REFUSED } from "../../src/metering/usage/origins.ts";
import { accountSpace, GLOBAL } from "../../src/store/store.ts";
import { fakeClock } from "../support/clock.ts";
import { openTestStore } from "../support/store.ts";

const DAY = 24 * 60 * 60_000;
const NOON = Date.UTC(2026, 0, 15, 12);
const MIDNIGHT = NOON - DAY / 2;

/** An account with its uses at instants, and the rest of its limits. */
interface Made {
  account: Account;
  /** Uses by project. */
  uses?: Record<string, { at: number; count: number }[]>;
  refusals?: { at: number; count: number }[];
  lastUsedAt?: number;
  /** Uses in this month of limits of uses. */
  monthly?: { limit: number; used: number }[];
  /** Requests left of 100 in each window. */
  left?: Partial<Record<WindowLeft["name"], number>>;
}

const named = (id: string, more: Partial<Account> = {}): Account => ({
  id,
  name: id,
  plan: "team",
  createdAt: NOON,
  ...more,
});
const from = (accountId: string, projectId: string) => ({
  accountId,
  projectId,
  keyId: "",
  userId: "",
  tool: "",
});

async function directoryOf(made: readonly Made[]) {
  const clock = fakeClock(NOON);
  const store = await openTestStore({ clock, collections: [...accountsCollections, ...meteringCollections] });
  const write = ({ account, uses = {}, refusals = [], lastUsedAt }: Made) =>
    store.transact(async (tx) => {
      const { id } = account;
      await tx.put(accounts, GLOBAL, id, account);
      if (lastUsedAt !== undefined) await tx.put(accountUses, GLOBAL, id, { lastUsedAt });
      for (const [projectId, some] of Object.entries(uses)) {
        const project = { id: projectId, name: projectId, learningOptIn: false, createdAt: NOON };
        await tx.put(projects, accountSpace(id), projectId, project);
        await countUses(
          tx,
          some.map((use): Use => ({ ...use, type: "api_calls", origin: from(id, projectId) })),
        );
      }
      await countByOrigin(
        tx,
        refusals.map((use): CountedUse => ({ ...use, type: REFUSED, origin: from(id, "") })),
      );
    });
  for (const each of made) await write(each);
  const asked: string[] = [];
  let blocked: string | undefined;
  const directory = createAccountDirectory({
    store,
    clock,
    async windowsOf({ id }) {
      asked.push(id);
      if (id === blocked) await new Promise(() => {});
      const { left = {} } = made.find(({ account }) => account.id === id) ?? {};
      return (["minute", "hour", "day"] as const).map((name) => ({
        name,
        limit: 50,
        capacity: 100,
        remaining: left[name] ?? 100,
        resetAt: NOON,
      }));
    },
    async usesOf(_, accountId) {
      const { monthly = [] } = made.find(({ account }) => account.id === accountId) ?? {};
      return monthly.map((each) => ({ ...each, type: "mcp_calls", resetAt: NOON }));
    },
  });
  const page = (question: Partial<AccountsQuestion & PageRequest> = {}) =>
    directory.page({ sort: "name", limit: 100, ...question });
  return {
    ...directory,
    page,
    ids: async (question: Partial<AccountsQuestion & PageRequest> = {}) =>
      (await page(question)).items.map(({ id }) => id),
    clock,
    store,
    write,
    asked,
    block: (id: string) => {
      blocked = id;
    },
  };
}

describe("figuresOf()", () => {
  it("adds up today, yesterday and thirty days in UTC over all projects", async () => {
    const { figuresOf } = await directoryOf([
      {
        account: named("acc_one"),
        uses: {
          shop: [
            { at: MIDNIGHT, count: 1 },
            { at: MIDNIGHT - 1, count: 10 },
            { at: MIDNIGHT - DAY, count: 100 },
            { at: MIDNIGHT - DAY - 1, count: 1000 },
            { at: MIDNIGHT - 29 * DAY, count: 10_000 },
            { at: MIDNIGHT - 29 * DAY - 1, count: 100_000 },
          ],
          web: [
            { at: MIDNIGHT + DAY - 1, count: 2 },
            { at: MIDNIGHT + DAY, count: 1_000_000 },
          ],
        },
        refusals: [
          { at: MIDNIGHT, count: 3 },
          { at: MIDNIGHT + DAY - 1, count: 4 },
          { at: MIDNIGHT - 1, count: 50 },
          { at: MIDNIGHT + DAY, count: 500 },
        ],
        lastUsedAt: NOON - 5,
      },
    ]);
    expect(await figuresOf("acc_one")).toEqual({
      today: 3,
      yesterday: 110,
      days30: 11_113,
      refused: 7,
      ofLimit: 0,
      lastUsedAt: NOON - 5,
    });
  });

  it("reports the share of the hour's or day's limit, whichever is higher, but not the minute's", async () => {
    const uses = { shop: [{ at: NOON, count: 1 }] };
    const { figuresOf } = await directoryOf([
      { account: named("acc_hour"), uses, left: { minute: 0, hour: 40, day: 70 } },
      { account: named("acc_day"), uses, left: { hour: 90, day: 25 } },
      { account: named("acc_much"), uses, left: { hour: 120, day: 110 } },
    ]);
    expect((await figuresOf("acc_hour")).ofLimit).toBeCloseTo(0.6);
    expect((await figuresOf("acc_day")).ofLimit).toBe(0.75);
    expect((await figuresOf("acc_much")).ofLimit).toBe(0);
  });

  it("reports the share of a month's uses where that is the highest, up to all of them", async () => {
    const given = { uses: { shop: [{ at: NOON, count: 1 }] }, left: { hour: 40 } };
    const { figuresOf } = await directoryOf([
      {
        account: named("acc_most"),
        ...given,
        monthly: [
          { limit: 10, used: 8 },
          { limit: 10, used: 3 },
        ],
      },
      { account: named("acc_less"), ...given, monthly: [{ limit: 10, used: 5 }] },
      { account: named("acc_more"), ...given, monthly: [{ limit: 10, used: 25 }] },
      { account: named("acc_none"), ...given, monthly: [{ limit: 0, used: 0 }] },
    ]);
    const shares = ["most", "less", "more", "none"].map(async (id) => (await figuresOf(`acc_${id}`)).ofLimit);
    expect(await Promise.all(shares)).toEqual([0.8, 0.6, 1, 0.6]);
  });

  it("reads the limits only of accounts that were active within a day", async () => {
    const left = { day: 0 };
    const { figuresOf, asked } = await directoryOf([
      { account: named("acc_never"), left },
      { account: named("acc_before"), left, lastUsedAt: NOON - DAY - 1 },
      { account: named("acc_within"), left, lastUsedAt: NOON - DAY },
      { account: named("acc_today"), left, uses: { shop: [{ at: MIDNIGHT, count: 1 }] } },
      { account: named("acc_refused"), left, refusals: [{ at: MIDNIGHT, count: 1 }] },
    ]);
    const ofLimit = async (id: string) => (await figuresOf(id)).ofLimit;
    expect(await ofLimit("acc_never")).toBe(0);
    expect(await ofLimit("acc_before")).toBe(0);
    for (const id of ["acc_within", "acc_today", "acc_refused"]) expect(await ofLimit(id), id).toBe(1);
    expect(asked).toEqual(["acc_within", "acc_today", "acc_refused"]);
  });

  it("fails with not_found for an unknown account", async () => {
    const { figuresOf } = await directoryOf([]);
    await expect(figuresOf("acc_gone")).rejects.toMatchObject({ error: "not_found" });
  });
});

describe("the directory of accounts", () => {
  it("filters, sorts and counts like a simple model, by every column in both directions", async () => {
    const text = fc.constantFrom("Acme", "acme tools", "Beta", "zeta", "ACC_0");
    const maker = fc.record({
      name: text,
      plan: fc.constantFrom("free", "team", "Pro"),
      createdAt: fc.nat({ max: 3 }),
      suspended: fc.boolean(),
      today: fc.nat({ max: 3 }),
      yesterday: fc.nat({ max: 3 }),
      before: fc.nat({ max: 3 }),
      refused: fc.nat({ max: 3 }),
      lastUsedAt: fc.option(fc.constantFrom(NOON - 1, NOON - 2), { nil: undefined }),
      day: fc.constantFrom(100, 50),
    });
    const questions = fc.record({
      query: fc.option(fc.constantFrom("ACME", "acc_01", "t", "nobody"), { nil: undefined }),
      ids: fc.option(fc.constant<string[]>(["acc_02", "acc_gone"]), { nil: undefined }),
      plan: fc.option(fc.constantFrom("free", "Pro"), { nil: undefined }),
      isSuspended: fc.option(fc.boolean(), { nil: undefined }),
      sort: fc.constantFrom<AccountOrder>(
        "name",
        "plan",
        "createdAt",
        "today",
        "yesterday",
        "days30",
        "refused",
        "ofLimit",
        "lastUsedAt",
      ),
      ascending: fc.boolean(),
      limit: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(maker, { minLength: 1, maxLength: 7 }),
        fc.array(questions, { minLength: 6, maxLength: 6 }),
        async (makers, asked) => {
          const rows = makers.map(
            ({ today, yesterday, before, refused, lastUsedAt, day, ...rest }, index) => {
              const { suspended, ...given } = rest;
              const account = named(`acc_0${index}`, { ...given, ...(suspended && { suspendedAt: 0 }) });
              const uses = [
                { at: NOON, count: today },
                { at: NOON - DAY, count: yesterday },
                { at: NOON - 2 * DAY, count: before },
              ].filter(({ count }) => count > 0);
              const isThere = today > 0 || refused > 0 || lastUsedAt !== undefined;
              const figures = {
                today,
                yesterday,
                days30: today + yesterday + before,
                refused,
                ofLimit: isThere ? 1 - day / 100 : 0,
                ...(lastUsedAt !== undefined && { lastUsedAt }),
              };
              const made: Made = {
                account,
                uses: { shop: uses },
                ...(refused > 0 && { refusals: [{ at: NOON, count: refused }] }),
                ...(lastUsedAt !== undefined && { lastUsedAt }),
                left: { day },
              };
              return { made, shown: { ...account, figures } };
            },
          );
          const directory = await directoryOf(rows.map(({ made }) => made));
          for (const question of asked) {
            const { query, ids, plan, isSuspended, sort, ascending, limit } = question;
            const isAsked = (row: (typeof rows)[number]["shown"]) => {
              const named =
                query === undefined || `${row.name}\n${row.id}`.toLowerCase().includes(query.toLowerCase());
              if (!named && !ids?.includes(row.id)) return false;
              if (plan !== undefined && row.plan !== plan) return false;
              return isSuspended === undefined || isSuspended === "suspendedAt" in row;
            };
            const figureOf = (row: (typeof rows)[number]["shown"]) => {
              if (sort === "createdAt") return row.createdAt;
              if (sort === "name" || sort === "plan") return row[sort].toLowerCase();
              return row.figures[sort] ?? 0;
            };
            const expected = rows.map(({ shown }) => shown).filter(isAsked);
            // Ties are in the order of their ids, since sorting is stable.
            expected.sort((one, other) => {
              const [a, b] = [figureOf(one), figureOf(other)];
              return a < b ? -1 : a > b ? 1 : 0;
            });
            if (!ascending) expected.reverse();
            const asking = { query, ids, plan, isSuspended, sort: ascending ? sort : (`-${sort}` as const) };
            const isByUse = !["name", "plan", "createdAt"].includes(sort);
            let cursor: string | undefined;
            for (let start = 0; start === 0 || cursor !== undefined; start += limit) {
              const page = await directory.page({ ...asking, limit, cursor });
              expect(page.items).toEqual(expected.slice(start, start + limit));
              expect(page.count).toBe(expected.length);
              expect(page.rankedAt).toBe(isByUse ? NOON : undefined);
              expect(page.nextCursor === undefined).toBe(start + limit >= expected.length);
              cursor = page.nextCursor;
            }
            const every: typeof expected = [];
            for await (const account of directory.every(asking)) every.push(account);
            expect(every).toEqual(expected);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it("ranks all accounts by their use", async () => {
    const ids = Array.from({ length: 45 }, (_, index) => `acc_${String(index).padStart(2, "0")}`);
    const { page } = await directoryOf(
      ids.map((id, index) => ({ account: named(id), uses: { shop: [{ at: NOON, count: index + 1 }] } })),
    );
    const { items, count } = await page({ sort: "-today" });
    expect(items.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(count).toBe(45);
  });

  it("pages through more accounts than it reads at a time", async () => {
    const { page, store } = await directoryOf([]);
    const ids = Array.from({ length: 2100 }, (_, index) => `acc_${10_000 + index}`);
    await store.transact(async (tx) => {
      for (const id of ids) await tx.put(accounts, GLOBAL, id, named(id));
    });
    const { count, nextCursor } = await page({ limit: 2000 });
    expect(count).toBe(2100);
    const { items } = await page({ limit: 200, cursor: nextCursor });
    expect(items.map(({ id }) => id)).toEqual(ids.slice(2000));
  });

  it("shows new accounts after a second, and leaves deleted ones out at once", async () => {
    const { ids, write, clock, store } = await directoryOf([{ account: named("acc_a") }]);
    expect(await ids()).toEqual(["acc_a"]);
    await write({ account: named("acc_b") });
    expect(await ids()).toEqual(["acc_a"]);
    clock.advance(1000);
    expect(await ids()).toEqual(["acc_a", "acc_b"]);
    await store.transact((tx) => tx.delete(accounts, GLOBAL, "acc_a"));
    expect(await ids()).toEqual(["acc_b"]);
  });

  it("pages and lists every account once while others are added and ranks change", async () => {
    const ids = Array.from({ length: 45 }, (_, index) => `acc_${10 + index}`);
    const used = (count: number) => ({ shop: [{ at: NOON, count }] });
    const { page, every, write, clock } = await directoryOf(
      ids.map((id, index) => ({ account: named(id), uses: used(45 - index) })),
    );
    const first = await page({ sort: "-today", limit: 20 });
    const seen = first.items.map(({ id }) => id);
    const all: string[] = [];
    for await (const { id } of every({ sort: "-today" })) {
      if (all.push(id) === 1) {
        await write({ account: named("acc_new"), uses: used(100) });
        await write({ account: named("acc_12"), uses: used(500) });
        clock.advance(2 * 60_000);
        await page({ sort: "-today" });
        await expect.poll(async () => (await page({ sort: "-today" })).items[0]?.id).toBe("acc_12");
      }
    }
    expect(all).toEqual(ids);
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const { items, nextCursor } = await page({ sort: "-today", limit: 20, cursor });
      seen.push(...items.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it("ranks again in the background after a minute, and serves the old rank meanwhile", async () => {
    const { page, write, clock } = await directoryOf([
      { account: named("acc_a"), uses: { shop: [{ at: NOON, count: 1 }] } },
      { account: named("acc_b") },
    ]);
    const first = async () => {
      const { items, rankedAt } = await page({ sort: "-today" });
      return [items[0]?.id, rankedAt];
    };
    expect(await first()).toEqual(["acc_a", NOON]);
    await write({ account: named("acc_b"), uses: { shop: [{ at: NOON, count: 9 }] } });
    clock.advance(60_000);
    expect(await first()).toEqual(["acc_a", NOON]);
    clock.advance(1);
    expect(await first()).toEqual(["acc_a", NOON]);
    await expect.poll(first).toEqual(["acc_b", NOON + 60_001]);
  });

  it("waits at most 150 ms for the rank", async () => {
    const uses = { shop: [{ at: NOON, count: 1 }] };
    const { page, clock, block, asked } = await directoryOf([
      { account: named("acc_a") },
      { account: named("acc_b"), uses },
      { account: named("acc_c") },
    ]);
    block("acc_b");
    let shown: Awaited<ReturnType<typeof page>> | undefined;
    const looked = page({ sort: "-today", limit: 1 }).then((found) => {
      shown = found;
    });
    await expect.poll(() => asked).toContain("acc_b");
    clock.advance(149);
    await new Promise(setImmediate);
    expect(shown).toBeUndefined();
    clock.advance(1);
    await looked;
    // No account has figures yet.
    expect(shown).toMatchObject({ items: [{ id: "acc_c" }], count: 3, rankedAt: undefined });
  });
});

describe("underPressure()", () => {
  it("counts the accounts near a limit and refused today, and names the top three of each", async () => {
    const ids = ["acc_a", "acc_b", "acc_c", "acc_d", "acc_e"];
    const { underPressure } = await directoryOf(
      ids.map((id, index) => ({
        account: named(id, { name: `The ${id}` }),
        uses: { shop: [{ at: NOON, count: 1 }] },
        left: { day: [100, 25, 50, 20, 0][index] as number },
        refusals: index === 0 || index > 3 ? [] : [{ at: NOON, count: index }],
      })),
    );
    const { nearLimit, refused } = (await underPressure(0.5)) ?? {};
    expect(nearLimit).toEqual({
      count: 4,
      first: [
        { id: "acc_e", name: "The acc_e", figure: 1 },
        { id: "acc_d", name: "The acc_d", figure: 0.8 },
        { id: "acc_b", name: "The acc_b", figure: 0.75 },
      ],
    });
    expect(refused).toMatchObject({
      count: 3,
      first: [{ id: "acc_d", figure: 3 }, { figure: 2 }, { figure: 1 }],
    });
  });
});

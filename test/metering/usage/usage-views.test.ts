import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accounts,
  apiKeys,
  browserSessions,
  projects,
  tokenFamilies,
  users,
} from "../../../src/accounts/model.ts";
import { cursorAt } from "../../../src/accounts/page.ts";
import { auditEntries, auditIndex, auditSpace, facetId } from "../../../src/audit/model.ts";
import type { Scope } from "../../../src/contract/caller.ts";
import { USAGE_TYPES, type UsageType } from "../../../src/metering/contract.ts";
import { countUses, type Use } from "../../../src/metering/usage/counters.ts";
import type { Dimension } from "../../../src/metering/usage/groups.ts";
import { type CountedUse, countByOrigin, type Origin, REFUSED } from "../../../src/metering/usage/origins.ts";
import {
  createUsageViews,
  type GroupSort,
  type GroupsQuestion,
} from "../../../src/metering/usage/reports/usage-views.ts";
import { accountSpace, GLOBAL } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { ACCOUNT, openMetering } from "../metering.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const NOON = Date.UTC(2026, 0, 15, 12);
const MIDNIGHT = NOON - DAY / 2;

const who = (scopes: Scope[] = ["admin"], userId = "usr_ann") => ({
  accountId: ACCOUNT,
  userId,
  credential: { kind: "api_key", id: "key_a", scopes } as const,
});
const origin = (more: Partial<Origin>): Origin => ({
  accountId: ACCOUNT,
  projectId: "shop",
  keyId: "key_a",
  userId: "usr_ann",
  tool: "",
  ...more,
});

interface Counted {
  type: UsageType | typeof REFUSED;
  count: number;
  at: number;
  origin: Origin;
}

async function viewsOf(counted: readonly Counted[]) {
  const clock = fakeClock(NOON);
  const { store } = await openMetering({ clock });
  let transactions = 0;
  const watched = {
    transact: ((work) => {
      transactions++;
      return store.transact(work);
    }) as typeof store.transact,
  };
  const count = (some: readonly Counted[]) =>
    store.transact(async (tx) => {
      for (const use of some) {
        if (use.type === REFUSED) await countByOrigin(tx, [use as CountedUse]);
        else await countUses(tx, [use as Use]);
      }
    });
  await store.transact(async (tx) => {
    const space = accountSpace(ACCOUNT);
    for (const id of ["shop", "web"]) {
      const project = { id, name: `The ${id}`, learningOptIn: false, createdAt: NOON };
      await tx.put(projects, space, id, project);
    }
  });
  await count(counted);
  return {
    ...createUsageViews({ store: watched, clock }),
    store,
    clock,
    count,
    transactions: () => transactions,
  };
}

describe("usage over time", () => {
  it("has every bucket of the range with its counts, under each filter", async () => {
    const at = (hours: number) => NOON + hours * HOUR;
    const { series } = await viewsOf([
      { type: "api_calls", count: 1, at: at(0), origin: origin({}) },
      { type: "api_calls", count: 2, at: at(1) - 1, origin: origin({ projectId: "web", keyId: "key_b" }) },
      { type: "mcp_calls", count: 4, at: at(2), origin: origin({ tool: "search" }) },
      { type: "api_calls", count: 8, at: at(3), origin: origin({}) },
      { type: "api_calls", count: 16, at: at(0) - 1, origin: origin({}) },
    ]);
    const range = { granularity: "hour", from: at(0), to: at(3) } as const;
    const counts = async (question: object) =>
      (await series(who(), { ...range, ...question })).map(({ counts }) => counts);
    expect(await series(who(), range)).toEqual([
      { at: "2026-01-15T12:00:00.000Z", counts: { api_calls: 3 } },
      { at: "2026-01-15T13:00:00.000Z", counts: {} },
      { at: "2026-01-15T14:00:00.000Z", counts: { mcp_calls: 4 } },
    ]);
    expect(await counts({ projectId: "web" })).toEqual([{ api_calls: 2 }, {}, {}]);
    expect(await counts({ keyId: "key_a" })).toEqual([{ api_calls: 1 }, {}, { mcp_calls: 4 }]);
    expect(await counts({ keyId: "key_a", projectId: "web" })).toEqual([{}, {}, {}]);
    expect(await counts({ userId: "usr_bob" })).toEqual([{}, {}, {}]);
    expect(await counts({ tool: "search" })).toEqual([{}, {}, { mcp_calls: 4 }]);
    expect(await counts({ type: "mcp_calls" })).toEqual([{}, {}, { mcp_calls: 4 }]);
    expect(await counts({ type: "api_calls", tool: "search" })).toEqual([{}, {}, {}]);
  });

  it("has the same sums by project as by origin, in hours, days and months", async () => {
    const uses = fc.record({
      type: fc.constantFrom(...USAGE_TYPES),
      count: fc.integer({ min: 1, max: 9 }),
      at: fc.integer({ min: MIDNIGHT - 40 * DAY, max: MIDNIGHT + 3 * DAY }),
      origin: fc.constantFrom("shop", "web").map((projectId) => origin({ projectId })),
    });
    const question = fc.record({
      granularity: fc.constantFrom("hour", "day", "month"),
      back: fc.nat({ max: 3 }),
      ahead: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(uses, { maxLength: 12 }),
        fc.array(question, { maxLength: 4 }),
        async (given, asked) => {
          const { series } = await viewsOf(given);
          for (const { granularity, back, ahead } of asked) {
            const begin = (steps: number) =>
              granularity === "hour"
                ? NOON + steps * HOUR
                : granularity === "day"
                  ? MIDNIGHT + steps * DAY
                  : Date.UTC(2026, steps);
            const expected = Array.from({ length: back + ahead }, (_, index) => {
              const counts: Record<string, number> = {};
              for (const { type, count, at } of given) {
                if (at < begin(index - back) || at >= begin(index - back + 1)) continue;
                counts[type] = (counts[type] ?? 0) + count;
              }
              return { at: new Date(begin(index - back)).toISOString(), counts };
            });
            const range = { granularity, from: begin(-back), to: begin(ahead) };
            expect(await series(who(), range)).toEqual(expected);
            expect(await series(who(), { ...range, keyId: "key_a" })).toEqual(expected);
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  it("leaves out refusals", async () => {
    const { series } = await viewsOf([{ type: REFUSED, count: 3, at: NOON, origin: origin({}) }]);
    const range = { granularity: "hour", from: NOON, to: NOON + HOUR } as const;
    for (const more of [{}, { keyId: "key_a" }]) {
      expect((await series(who(), { ...range, ...more })).map(({ counts }) => counts)).toEqual([{}]);
    }
  });
});

describe("usage by groups", () => {
  const DIMENSION = {
    account: "accountId",
    project: "projectId",
    key: "keyId",
    user: "userId",
    tool: "tool",
  } as const;
  const RANGE = { granularity: "day", from: MIDNIGHT, to: MIDNIGHT + DAY } as const;
  const ASKED = { ...RANGE, by: "key", sort: "total", limit: 10 } as const;

  it("is sorted by any figure in both directions, with ties by name, and paged", async () => {
    const uses = fc.record({
      type: fc.constantFrom(...USAGE_TYPES, REFUSED),
      count: fc.integer({ min: 1, max: 3 }),
      at: fc.constantFrom(MIDNIGHT, NOON, MIDNIGHT + DAY - 1, MIDNIGHT + DAY, MIDNIGHT - 1),
      origin: fc.record({
        accountId: fc.constant(ACCOUNT),
        projectId: fc.constantFrom("shop", "web"),
        keyId: fc.constantFrom("key_a", "key_b", "key_c", "key_d"),
        userId: fc.constantFrom("usr_ann", "usr_bob"),
        tool: fc.constantFrom("", "search"),
      }),
    });
    const questions = fc.record({
      by: fc.constantFrom<Dimension>("project", "key", "user", "tool"),
      sort: fc.constantFrom<GroupSort>("total", "refused", ...USAGE_TYPES),
      ascending: fc.option(fc.boolean(), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(uses, { maxLength: 20 }),
        fc.array(questions, { minLength: 6, maxLength: 6 }),
        async (given, asked) => {
          const { groups } = await viewsOf(given);
          const today = given.filter(({ at }) => at >= MIDNIGHT && at < MIDNIGHT + DAY);
          const sum = (some: readonly Counted[], sort: GroupSort) =>
            some
              .filter(({ type }) => (sort === "total" ? type !== REFUSED : type === sort))
              .reduce((total, { count }) => total + count, 0);
          for (const { ascending, ...question } of asked) {
            const { by, sort, limit } = question;
            const names = [...new Set(today.map((use) => use.origin[DIMENSION[by]]))].sort();
            const of = (name: string) => today.filter((use) => use.origin[DIMENSION[by]] === name);
            const turn = ascending ? 1 : -1;
            names.sort((one, other) => turn * (sum(of(one), sort) - sum(of(other), sort)));
            const figures = (some: readonly Counted[]) => ({
              total: sum(some, "total"),
              refused: sum(some, "refused"),
            });
            let cursor: string | undefined;
            for (let start = 0; start === 0 || cursor !== undefined; start += limit) {
              const page = await groups(who(), {
                ...RANGE,
                ...question,
                ...(ascending !== undefined && { ascending }),
                cursor,
              });
              expect(page.groups.map((group) => [group[by], group.total, group.refused])).toEqual(
                names.slice(start, start + limit).map((name) => {
                  const { total, refused } = figures(of(name));
                  return [name || null, total, refused];
                }),
              );
              expect(page).toMatchObject({ count: names.length, ...figures(today) });
              expect(page.totals).toEqual(
                Object.fromEntries(USAGE_TYPES.map((type) => [type, sum(today, type)])),
              );
              expect(page.nextCursor === undefined).toBe(start + limit >= names.length);
              cursor = page.nextCursor;
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it("names accounts, projects, users, API keys, sign-ins and browser sessions", async () => {
    const keys = ["key_named", "fam_named", "fam_client", "ses_browser", "key_gone", ""];
    const { groups, store } = await viewsOf([
      ...keys.map((keyId, index) => ({
        type: "api_calls" as const,
        count: 10 - index,
        at: NOON,
        origin: origin({
          keyId,
          userId: keyId === "" ? "" : "usr_ann",
          projectId: index === 0 ? "gone" : "shop",
        }),
      })),
      { type: REFUSED, count: 1, at: NOON, origin: origin({ keyId: "", userId: "usr_gone", projectId: "" }) },
    ]);
    await store.transact(async (tx) => {
      const space = accountSpace(ACCOUNT);
      const put = (kept: Parameters<typeof tx.put>[0], id: string, value: object) =>
        tx.put(kept, space, id, value as never);
      await put(apiKeys, "key_named", { name: "ci" });
      await put(tokenFamilies, "fam_named", { clientName: "Acme", clientId: "acme-ide" });
      await put(tokenFamilies, "fam_client", { clientId: "tool-cli" });
      await put(browserSessions, "ses_browser", {});
      await put(users, "usr_ann", { email: "ann@example.com" });
      await tx.put(accounts, GLOBAL, ACCOUNT, { id: ACCOUNT, name: "One", plan: "team", createdAt: NOON });
    });
    const named = async (by: Dimension) => {
      const page = await groups(who(), { ...ASKED, by });
      return page.groups.map((group) => [group[by], group[`${by}Name` as keyof typeof group]]);
    };
    expect(await named("key")).toEqual([
      ["key_named", "ci"],
      ["fam_named", "Acme of ann@example.com"],
      ["fam_client", "tool-cli of ann@example.com"],
      ["ses_browser", "browser of ann@example.com"],
      ["key_gone", undefined],
      [null, undefined],
    ]);
    expect(await named("user")).toEqual([
      ["usr_ann", "ann@example.com"],
      [null, undefined],
      ["usr_gone", undefined],
    ]);
    expect(await named("project")).toEqual([
      ["shop", "The shop"],
      ["gone", undefined],
      [null, undefined],
    ]);
    expect(await named("account")).toEqual([[ACCOUNT, "One"]]);
    expect(await named("tool")).toEqual([[null, undefined]]);
  });

  it("names sign-ins that ended, and whose they were, as far as the audit log names them", async () => {
    const ended = (keyId: string, userId: string, count: number) => ({
      ...{ type: "api_calls" as const, count, at: NOON },
      origin: origin({ keyId, userId }),
    });
    const { groups, store } = await viewsOf([
      ended("fam_a", "usr_ann", 4),
      ended("fam_b", "usr_bob", 3),
      ended("fam_c", "usr_ann", 2),
    ]);
    const named = [
      ["aud_1", "fam_a", "acme"],
      ["aud_2", "fam_a", "tool-cli"],
      ["aud_3", "fam_b", "tool-cli"],
      ["aud_4", "usr_ann", "ann@example.com"],
    ] as const;
    await store.transact(async (tx) => {
      for (const [id, target, name] of named) {
        const actor = { address: "", requestId: "" };
        const entry = { ...{ id, at: NOON, actor, action: "" }, target: { kind: "", id: target, name } };
        await tx.put(auditEntries, auditSpace(ACCOUNT), id, { ...entry, outcome: "done" });
        await tx.put(auditIndex, auditSpace(ACCOUNT), facetId("target", target, id), true);
      }
    });
    const shown = async (by: "key" | "user") =>
      (await groups(who(), { ...ASKED, by })).groups.map((group) => [
        group[by],
        group[`${by}Name`],
        group[`${by}Gone`],
      ]);
    expect(await shown("key")).toEqual([
      ["fam_a", "tool-cli of ann@example.com", true],
      ["fam_b", "tool-cli", true],
      ["fam_c", undefined, true],
    ]);
    expect(await shown("user")).toEqual([
      ["usr_ann", "ann@example.com", true],
      ["usr_bob", undefined, true],
    ]);
  });

  it("covers only the caller's own use for members, and other accounts for operators", async () => {
    const bob = origin({ userId: "usr_bob", keyId: "key_b" });
    const { groups, series, store, count } = await viewsOf([
      { type: "api_calls", count: 1, at: NOON, origin: origin({}) },
      { type: "api_calls", count: 2, at: NOON, origin: bob },
    ]);
    await store.transact((tx) =>
      tx.put(accounts, GLOBAL, "acc_other", {
        id: "acc_other",
        name: "Other",
        plan: "team",
        createdAt: NOON,
      }),
    );
    await count([{ type: "api_calls", count: 4, at: NOON, origin: origin({ accountId: "acc_other" }) }]);
    const member = who(["write"]);
    expect((await groups(member, ASKED)).total).toBe(1);
    expect(await series(member, RANGE)).toMatchObject([{ counts: { api_calls: 1 } }]);
    await expect(groups(member, { ...ASKED, userId: "usr_bob" })).rejects.toMatchObject({ status: 403 });
    const other = { ...ASKED, accountId: "acc_other" };
    await expect(groups(who(), other)).rejects.toMatchObject({ status: 403 });
    expect((await groups(who(["operator"]), other)).total).toBe(4);
  });

  it("is cached for four seconds for the same question only", async () => {
    const use = { type: "api_calls", count: 1, at: NOON, origin: origin({}) } as const;
    const { groups, series, count, clock, transactions } = await viewsOf([use]);
    const totals = async (more: Partial<GroupsQuestion> = {}) =>
      (await groups(who(), { ...ASKED, ...more })).total;
    const first = async () => (await series(who(), RANGE))[0]?.counts.api_calls;
    expect([await totals(), await first()]).toEqual([1, 1]);
    await count([use]);
    const before = transactions();
    expect([await totals(), await first()]).toEqual([1, 1]);
    expect(transactions()).toBe(before);
    for (const other of [
      { sort: "api_calls" },
      { ascending: true },
      { cursor: cursorAt([0, "key_a"]) },
      { limit: 11 },
      { by: "user" },
    ] as const) {
      expect(await totals(other), JSON.stringify(other)).toBe(2);
    }
    clock.advance(3999);
    expect([await totals(), await first()]).toEqual([1, 1]);
    clock.advance(1);
    expect([await totals(), await first()]).toEqual([2, 2]);
  });
});

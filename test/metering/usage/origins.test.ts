import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accounts } from "../../../src/accounts/model.ts";
import { ORIGIN_COUNTERS } from "../../../src/metering/usage/origins.ts";
import { createRetention } from "../../../src/metering/usage/retention.ts";
import { accountSpace, GLOBAL, type Store } from "../../../src/store/store.ts";
import { createLog } from "../../../src/system/log.ts";
import { fakeClock } from "../../support/clock.ts";
import { ACCOUNT, inProject, openMetering } from "../metering.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOON = Date.UTC(2026, 0, 15, 12);

/** Returns the test account's counts by origin. Their ids have spaces in place of tabs. */
async function counted(store: Store, granularity: "hour" | "day" | "month"): Promise<Record<string, number>> {
  const counts = await store.transact((tx) =>
    tx.counts(ORIGIN_COUNTERS[granularity], accountSpace(ACCOUNT), { from: "", to: "~" }),
  );
  return Object.fromEntries(counts.map(({ id, count }) => [id.replaceAll("\t", " "), count]));
}

describe("usage by origin", () => {
  it("is counted by project, key, user and tool, in hours, days and months", async () => {
    const { api, store } = await openMetering({ clock: fakeClock(NOON) });
    await api.track({ type: "api_calls", count: 3, metadata: { tool: "search" } }, inProject("shop"));
    await api.track({ type: "api_calls", count: 2, metadata: { tool: "search" } }, inProject("shop"));
    await api.track({ type: "api_calls" });
    const origins = { "shop key_one usr_one search": 5, "default key_one usr_one ": 1 };
    for (const [granularity, bucket] of [
      ["hour", "2026-01-15T12"],
      ["day", "2026-01-15"],
      ["month", "2026-01"],
    ] as const) {
      const expected = Object.entries(origins).map(([id, count]) => [`${bucket} api_calls ${id}`, count]);
      expect(await counted(store, granularity)).toEqual(Object.fromEntries(expected));
    }
  });

  it("is counted by the sign-in of an access token instead of the token's id", async () => {
    const { api, store } = await openMetering({ clock: fakeClock(NOON) });
    const credential = { kind: "access_token", id: "tok_1", familyId: "fam_1", scopes: ["write"] } as const;
    await api.track({ type: "mcp_calls" }, { credential });
    expect(await counted(store, "day")).toEqual({ "2026-01-15 mcp_calls default fam_1 usr_one ": 1 });
  });

  it("is counted once for each event of a batch, by its tool and timestamp", async () => {
    const { api, store } = await openMetering({ clock: fakeClock(NOON) });
    const batch = {
      batch: { id: "b" },
      events: [
        { event: "mcp.call", payload: { tool: "a" } },
        { event: "mcp.call", metadata: { tool: "a" }, count: 4 },
        { event: "mcp.call", properties: { tool: "b" }, timestamp: NOON - DAY },
        { event: "mcp.call", id: "same" },
        { event: "mcp.call", id: "same" },
        { event: "page.viewed", payload: { tool: "ignored" } },
      ],
    };
    await api.recordBatch(batch);
    await api.recordBatch(batch);
    expect(await counted(store, "day")).toEqual({
      "2026-01-14 mcp_calls default key_one usr_one b": 1,
      "2026-01-15 mcp_calls default key_one usr_one ": 1,
      "2026-01-15 mcp_calls default key_one usr_one a": 5,
    });
  });

  it("has at most a hundred tool names in a project and day, and counts the rest as other", async () => {
    const clock = fakeClock(NOON);
    const { api, store } = await openMetering({ clock });
    const names = Array.from({ length: 130 }, (_, index) => `tool-${index}`);
    const track = (tool: unknown, project = "default") =>
      api.track({ type: "api_calls", metadata: { tool } }, inProject(project));
    for (const name of names) await track(name);
    for (const name of names) await track(name);
    await track("tool-129", "another");
    const inDefault = Object.entries(await counted(store, "day")).filter(([id]) => id.includes(" default "));
    expect(inDefault).toHaveLength(101);
    expect(await counted(store, "day")).toMatchObject({
      "2026-01-15 api_calls default key_one usr_one tool-99": 2,
      "2026-01-15 api_calls default key_one usr_one other": 60,
      "2026-01-15 api_calls another key_one usr_one tool-129": 1,
    });
    clock.advance(DAY);
    await track("tool-129");
    expect(await counted(store, "day")).toMatchObject({
      "2026-01-16 api_calls default key_one usr_one tool-129": 1,
    });
  });

  it("counts a tool name that is too long, not a string or unprintable as other", async () => {
    const { api, store } = await openMetering({ clock: fakeClock(NOON) });
    for (const tool of ["x".repeat(65), 7, {}, ["a"], "a\tb", "\u0000", "\ud800"]) {
      await api.track({ type: "api_calls", metadata: { tool } });
    }
    for (const tool of [undefined, null, ""]) await api.track({ type: "api_calls", metadata: { tool } });
    expect(await counted(store, "day")).toEqual({
      "2026-01-15 api_calls default key_one usr_one other": 7,
      "2026-01-15 api_calls default key_one usr_one ": 3,
    });
  });

  it("adds up to the number of uses in hours, days and months", async () => {
    const use = fc.record({
      type: fc.constantFrom("api_calls", "mcp_calls"),
      count: fc.integer({ min: 1, max: 100 }),
      project: fc.constantFrom("a", "b/c"),
      key: fc.constantFrom("key_1", "key_2"),
      user: fc.constantFrom("usr_1", "usr_2"),
      tool: fc.option(fc.constantFrom("x", "y/z", "other"), { nil: undefined }),
      wait: fc.nat(40 * DAY),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(use, { maxLength: 12 }), async (uses) => {
        const clock = fakeClock(NOON);
        const { api, store } = await openMetering({ clock });
        let sent = 0;
        for (const { type, count, project, key, user, tool, wait } of uses) {
          clock.advance(wait);
          await api.track(
            { type, count, metadata: { tool } },
            {
              ...inProject(project),
              userId: user,
              credential: { kind: "api_key", id: key, scopes: ["write"] },
            },
          );
          sent += count;
        }
        for (const granularity of ["hour", "day", "month"] as const) {
          const sum = Object.values(await counted(store, granularity)).reduce((all, each) => all + each, 0);
          expect(sum).toBe(sent);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe("counters by origin", () => {
  it("are deleted after 90 days (hours) and two years (days and months), and totals stay", async () => {
    const clock = fakeClock(NOON);
    const { api, store } = await openMetering({ clock });
    await store.transact((tx) =>
      tx.put(accounts, GLOBAL, "acc_two", { id: "acc_two", name: "Two", plan: "team", createdAt: 0 }),
    );
    const retention = createRetention({ store, clock, log: createLog("silent") });
    await api.track({ type: "api_calls" });
    await api.track({ type: "api_calls" }, { accountId: "acc_two" });
    const before = await store.storageOf(ACCOUNT);
    clock.advance(90 * DAY);
    await retention.sweep();
    expect(Object.keys(await counted(store, "hour"))).toHaveLength(1);
    clock.advance(60 * 60 * 1000);
    await retention.sweep();
    expect(await counted(store, "hour")).toEqual({});
    expect(Object.keys(await counted(store, "day"))).toHaveLength(1);
    clock.advance(1000);
    const after = await store.storageOf(ACCOUNT);
    expect(after.bytes).toBeLessThan(before.bytes);
    clock.advance(672 * DAY);
    await retention.sweep();
    for (const granularity of ["day", "month"] as const)
      expect(await counted(store, granularity)).toEqual({});
    const others = await store.transact((tx) =>
      tx.counts(ORIGIN_COUNTERS.day, accountSpace("acc_two"), { from: "", to: "~" }),
    );
    expect(others).toEqual([]);
    const { body } = await api.showUsage({ from: "2026-01-01", to: "2026-02-01" });
    expect(body.totals.api_calls).toBe(1);
    await retention.stop();
  });

  it("are deleted automatically, at most 1,000 in one transaction", async () => {
    const clock = fakeClock(NOON);
    const { store } = await openMetering({ clock });
    await store.transact(async (tx) => {
      for (let index = 0; index < 2500; index++) {
        await tx.increment(
          ORIGIN_COUNTERS.hour,
          accountSpace(ACCOUNT),
          `2025-01-15T12\tapi_calls\t\t${index}\t\t`,
          1,
        );
      }
    });
    let most = 0;
    const watched: Pick<Store, "transact"> = {
      transact: (work) =>
        store.transact(async (tx) => {
          const result = await work(tx);
          if (typeof result === "number") most = Math.max(most, result);
          return result;
        }),
    };
    const retention = createRetention({ store: watched, clock, log: createLog("silent") });
    clock.advance(60_000);
    await expect.poll(() => counted(store, "hour")).toEqual({});
    expect(most).toBe(1000);
    await retention.stop();
  });
});

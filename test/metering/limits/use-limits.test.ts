import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUseLimits } from "../../../src/metering/limits/use-limits.ts";
import { loadCatalogue } from "../../../src/metering/plans.ts";
import { countUse } from "../../../src/metering/usage/counters.ts";
import type { UsageType, UsesPerMonth } from "../../../src/metering/usage/vocabulary.ts";
import type { Store } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { runs } from "../../support/runs.ts";
import { ACCOUNT, openMetering } from "../metering.ts";

const NOON = Date.UTC(2026, 1, 28, 12);
const MARCH = Date.UTC(2026, 2);

/** Opens metering whose largest plan but one, that of its account, limits uses. */
async function open(usesPerMonth?: UsesPerMonth) {
  const bundled = loadCatalogue();
  const tiers = bundled.tiers.map((tier) => ({ ...tier, limits: { ...tier.limits, usesPerMonth } }));
  const metering = await openMetering({ clock: fakeClock(NOON), catalogue: { ...bundled, tiers } });
  const { store, clock } = metering;
  const count = (type: UsageType, count: number, { at = clock.now(), projectId = "default" } = {}) => {
    const origin = { accountId: ACCOUNT, projectId, keyId: "key_1", userId: "usr_1", tool: "" };
    return store.transact((tx) => countUse(tx, { type, count, at, origin }));
  };
  const uses = () => store.transact((tx) => metering.useLimits.all(tx, ACCOUNT));
  return { ...metering, count, uses };
}

describe("limits of uses in a month", () => {
  it("are none where neither the plan nor the account has any", async () => {
    const { useLimits, count, uses } = await open();
    await count("mcp_calls", 1_000_000);
    expect(await uses()).toEqual([]);
    (await useLimits.reserve(ACCOUNT, "mcp_calls", 1e9))();
    (await useLimits.reserve("acc_gone", "mcp_calls", 1))();
  });

  it("count what all projects used in this month, by type", async () => {
    const { clock, count, uses } = await open({ mcp_calls: 5, api_calls: 0 });
    await count("mcp_calls", 2);
    await count("mcp_calls", 1, { projectId: "shop" });
    await count("mcp_calls", 9, { at: NOON - 31 * 86_400_000 });
    await count("skills_accessed", 7);
    expect(await uses()).toEqual([
      { type: "api_calls", limit: 0, used: 0, resetAt: MARCH },
      { type: "mcp_calls", limit: 5, used: 3, resetAt: MARCH },
    ]);
    await clock.advance(MARCH - NOON);
    expect(await uses()).toMatchObject([{ used: 0 }, { used: 0, resetAt: Date.UTC(2026, 3) }]);
  });

  it("are the account's own before the plan's, and change at once", async () => {
    const { useLimits, uses, setAccount } = await open({ mcp_calls: 0, api_calls: 3 });
    await expect(useLimits.reserve(ACCOUNT, "mcp_calls", 1)).rejects.toMatchObject({ error: "rate_limited" });
    await setAccount({ limits: { usesPerMonth: { mcp_calls: 2 } } });
    expect((await uses()).map(({ limit }) => limit)).toEqual([3, 2]);
    (await useLimits.reserve(ACCOUNT, "mcp_calls", 2))();
  });

  it("say when the next month begins, and are watched when they refuse", async () => {
    const { useLimits, count, watched } = await open({ mcp_calls: 3 });
    await count("mcp_calls", 2);
    await expect(useLimits.reserve(ACCOUNT, "mcp_calls", 2)).rejects.toMatchObject({
      detail:
        "The limit of 3 mcp_calls a month of this account (plan Team) has 1 left, and this counts as 2. Try again in 12 h, or ask the operator of this server for a larger plan.",
      extras: {
        headers: { "Retry-After": "43200" },
        members: { window: "month", retryAfterSeconds: 43_200 },
      },
    });
    expect(watched).toEqual([{ type: "mcp_calls", limit: 3, used: 2, resetAt: MARCH }]);
  });

  it("say that calls under way hold what is left, which they give back if they fail", async () => {
    const { useLimits, count } = await open({ mcp_calls: 4 });
    await count("mcp_calls", 1);
    const failed = await useLimits.reserve(ACCOUNT, "mcp_calls", 2);
    await expect(useLimits.reserve(ACCOUNT, "mcp_calls", 2)).rejects.toMatchObject({
      detail:
        "The limit of 4 mcp_calls a month of this account (plan Team) has 3 left, of which calls under way hold 2, and this counts as 2. Try again when those have ended, or ask the operator of this server for a larger plan.",
      extras: { headers: { "Retry-After": "5" } },
    });
    failed();
    (await useLimits.reserve(ACCOUNT, "mcp_calls", 2))();
    // More than is left is refused until the next month, whatever is under way.
    await useLimits.reserve(ACCOUNT, "mcp_calls", 3);
    await expect(useLimits.reserve(ACCOUNT, "mcp_calls", 4)).rejects.toMatchObject({
      detail: expect.stringContaining("has 3 left, and this counts as 4. Try again in 12 h"),
    });
  });

  it("miss no call that is counted while what is used is being read", async () => {
    const { count, store, clock, catalogue } = await open({ mcp_calls: 2 });
    let meanwhile = async () => {};
    let reads = 0;
    const slow: Pick<Store, "transact"> = {
      async transact(run) {
        const read = await store.transact(run);
        reads++;
        await meanwhile();
        return read;
      },
    };
    const useLimits = createUseLimits({ store: slow, clock, catalogue, watch: () => {} });
    const giveBack = await useLimits.reserve(ACCOUNT, "mcp_calls", 1);
    const failed = await useLimits.reserve(ACCOUNT, "mcp_calls", 1);
    reads = 0;
    meanwhile = async () => {
      meanwhile = async () => {};
      await count("mcp_calls", 1);
      giveBack();
    };
    await expect(useLimits.reserve(ACCOUNT, "mcp_calls", 1)).rejects.toMatchObject({ error: "rate_limited" });
    // What came to nothing meanwhile is free again.
    meanwhile = async () => failed();
    (await useLimits.reserve(ACCOUNT, "mcp_calls", 1))();
    expect(reads).toBeLessThanOrEqual(4);
  });

  it("admit, in any order of calls that begin, end and fail, no more than there is, and no less", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("begin" as const), cost: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ kind: fc.constantFrom("count" as const, "fail" as const), which: fc.nat(5) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.array(step, { maxLength: 40 }),
        async (limit, steps) => {
          const { useLimits, count, uses } = await open({ mcp_calls: limit });
          const running: { cost: number; giveBack: () => void }[] = [];
          let used = 0;
          for (const each of steps) {
            if (each.kind === "begin") {
              const held = running.reduce((sum, { cost }) => sum + cost, 0);
              const begun = await useLimits.reserve(ACCOUNT, "mcp_calls", each.cost).catch(() => undefined);
              expect(begun !== undefined).toBe(used + held + each.cost <= limit);
              if (begun) running.push({ cost: each.cost, giveBack: begun });
              continue;
            }
            const [ended] = running.splice(each.which, 1);
            if (!ended) continue;
            if (each.kind === "count") {
              await count("mcp_calls", ended.cost);
              used += ended.cost;
            }
            ended.giveBack();
            ended.giveBack();
          }
          expect(await uses()).toMatchObject([{ used }]);
        },
      ),
      { numRuns: runs(30) },
    );
  });
});

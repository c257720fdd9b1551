import { describe, expect, it } from "vitest";
import { groupedReports } from "../../../src/metering/usage/grouped-report.ts";
import { usageSeries } from "../../../src/metering/usage/series.ts";
import type { Store, Transaction } from "../../../src/store/store.ts";

const HOUR = 60 * 60_000;
const NOON = Date.UTC(2026, 0, 15, 12);

/** A store that holds nothing but counters of one hour, a use in each, which it makes as they are read. */
function counting(counters: number, toolOf: (index: number) => string): Pick<Store, "transact"> {
  let given = 0;
  const tx = {
    async counts(_: string, __: string, { limit = 0 }) {
      const from = given;
      given = Math.min(counters, given + limit);
      return Array.from({ length: given - from }, (_, index) => ({
        id: ["2026-01-15T12", "api_calls", "web", "key_a", "usr_a", toolOf(from + index)].join("\t"),
        count: 1,
      }));
    },
  };
  return { transact: async (work) => work(tx as unknown as Transaction) };
}

const group = (store: Pick<Store, "transact">) =>
  groupedReports(store)("acc", {
    selection: { accountId: "acc", keyId: "key_a" },
    dimensions: ["tool"],
    from: NOON,
    to: NOON + HOUR,
  });

describe("usage that is added up", () => {
  it("takes half a million counters at most, for groups and for a series", async () => {
    expect((await group(counting(500_000, () => "search"))).totals.total).toBe(500_000);
    const refusal = { error: "invalid_request", extras: { members: { errors: [{ path: "from" }] } } };
    await expect(group(counting(500_001, () => "search"))).rejects.toMatchObject(refusal);
    const series = usageSeries(
      counting(500_001, () => "search"),
      { selection: { accountId: "acc", keyId: "key_a" }, granularity: "hour", from: NOON, to: NOON + HOUR },
    );
    await expect(series).rejects.toMatchObject(refusal);
  });

  it("makes a hundred thousand groups at most", async () => {
    expect((await group(counting(100_000, String))).size).toBe(100_000);
    await expect(group(counting(100_001, String))).rejects.toMatchObject({
      error: "invalid_request",
      extras: { members: { errors: [{ path: "groupBy" }] } },
    });
  });
});

import { describe, expect, it } from "vitest";
import { groupedReports } from "../../../src/metering/usage/reports/grouped-report.ts";
import { openReading } from "../../../src/metering/usage/reports/reading.ts";
import type { Store, Transaction } from "../../../src/store/store.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const HOUR_OF_NOON = { from: NOON, to: NOON + 60 * 60_000 };

/**
 * Returns a store of two accounts that generates counters of one use as they are read. `stretches` are the numbers in
 * each range.
 */
function counting(stretches: number[], toolOf: (index: number) => string): Pick<Store, "transact"> {
  let left = stretches.shift() ?? 0;
  const tx = {
    ids: async () => ["acc_a", "acc_b"],
    async counts(_: string, __: string, { limit = 0 }) {
      const some = Math.min(left, limit);
      const counters = Array.from({ length: some }, (_, index) => ({
        id: ["2026-01-15T12", "api_calls", "web", "key_a", "usr_a", toolOf(left - index)].join("\t"),
        count: 1,
      }));
      left = some < limit ? (stretches.shift() ?? 0) : left - some;
      return counters;
    },
  };
  return { transact: async (work) => work(tx as unknown as Transaction) };
}

describe("the bounds of one usage answer", () => {
  it("refuse more than 500,000 counters in all stretches together", async () => {
    const reading = openReading(counting([499_999, 1, 1], () => "search"));
    const read = async () => {
      let count = 0;
      for await (const uses of reading.byOrigin("acc", { granularity: "hour", ...HOUR_OF_NOON }))
        count += uses.length;
      return count;
    };
    expect([await read(), await read()]).toEqual([499_999, 1]);
    await expect(read()).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path: "from" }] },
    });
  });

  it("refuse more than 500,000 counters in all accounts together", async () => {
    const ofBoth = (second: number) =>
      groupedReports(counting([250_000, second], () => "search"))("operator", {
        selection: { keyId: "key_a" },
        dimensions: ["account"],
        ...HOUR_OF_NOON,
      });
    expect((await ofBoth(250_000)).size).toBe(2);
    await expect(ofBoth(250_001)).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path: "from" }] },
    });
  });

  it("refuse more than 100,000 groups", async () => {
    const group = (groups: number) =>
      groupedReports(counting([groups], String))("acc", {
        selection: { accountId: "acc", keyId: "key_a" },
        dimensions: ["tool"],
        ...HOUR_OF_NOON,
      });
    expect((await group(100_000)).size).toBe(100_000);
    await expect(group(100_001)).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path: "groupBy" }] },
    });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Alert } from "../../../src/alerts/alert.ts";
import { createLimitAlerts } from "../../../src/metering/limits/limit-alerts.ts";
import { accountWindows, endpointWindow, windowSet } from "../../../src/metering/limits/rate-limit.ts";
import type { UsageType } from "../../../src/metering/usage/vocabulary.ts";
import { fakeClock } from "../../support/clock.ts";

const HOUR = 60 * 60_000;
const NOON = Date.UTC(2026, 0, 15, 12);
const FEBRUARY = Date.UTC(2026, 1);
const LIMITS = { requestsPerMinute: 50, requestsPerHour: 100, requestsPerDay: 1000 };
/** Windows: a minute's bucket of 100, an hour of 100, a day of 1,000 requests, and an endpoint's own 100 a minute. */
const SET = windowSet([
  ...accountWindows("acc_one", LIMITS, undefined),
  endpointWindow("account/acc_one", "usage.track", { requests: 100, windowSeconds: 60 }),
]);
const NAMES = ["minute", "hour", "day", "usage.track"] as const;
type Name = (typeof NAMES)[number];

function watching(now = NOON) {
  const clock = fakeClock(now);
  const raised: Alert[] = [];
  const { watchLimits: watch, watchUses } = createLimitAlerts({
    alerts: { raise: (alert) => raised.push(alert) },
    clock,
  });
  /** Notes what is left of some windows. The others are full. */
  const leave = (left: Partial<Record<Name, number>>, resetAt = clock.now() + 1, accountId = "acc_one") => {
    const windows = SET.windows.map(({ name, capacity }) => ({
      remaining: left[name as Name] ?? capacity,
      resetAt,
      nextAt: resetAt,
    }));
    watch(accountId, SET, { admitted: true, windows });
    return raised.splice(0);
  };
  /** Notes the use of a limit of uses in a month. */
  const use = (
    used: number,
    resetAt = FEBRUARY,
    type: UsageType = "mcp_calls",
    accountId = "acc_one",
    limit = 10,
  ) => {
    watchUses(accountId, [{ type, limit, used, resetAt }]);
    return raised.splice(0);
  };
  return { clock, leave, use };
}

describe("limit alerts", () => {
  it("are raised when 80 % of a window is used, and when all of it is", () => {
    const { leave } = watching();
    expect(leave({ hour: 21, day: 201 })).toEqual([]);
    expect(leave({ hour: 20 }, NOON + HOUR)).toEqual([
      {
        type: "limit.warning",
        accountId: "acc_one",
        subject: "limit/hour",
        once: { key: `limit.warning/hour/${NOON / HOUR + 1}`, until: NOON + HOUR },
        data: { window: "hour", limit: 100, used: 80, resetsAt: "2026-01-15T13:00:00.000Z" },
      },
    ]);
    expect(leave({ hour: 1 }, NOON + HOUR)).toEqual([]);
    expect(leave({ hour: 0.9 }, NOON + HOUR)).toMatchObject([
      { type: "limit.reached", subject: "limit/hour", data: { used: 100 } },
    ]);
    expect(leave({ day: 200 }, NOON + 12 * HOUR)).toMatchObject([
      { type: "limit.warning", data: { window: "day", limit: 1000, used: 800 } },
    ]);
  });

  it("never report more used than the limit", () => {
    const { leave } = watching();
    expect(leave({ hour: -3 }, NOON + HOUR)).toMatchObject([{ data: { used: 100 } }]);
  });

  it("of the minute are raised once an hour", () => {
    const { leave, clock } = watching(NOON + 59 * 60_000);
    const at = clock.now();
    expect(leave({ minute: 0 }, at + 90_000)).toMatchObject([
      {
        subject: "limit/minute",
        once: { key: `limit.reached/minute/${NOON / HOUR + 1}`, until: NOON + HOUR },
        data: { window: "minute", limit: 100, resetsAt: new Date(at + 90_000).toISOString() },
      },
    ]);
    clock.advance(59_999);
    expect(leave({ minute: 0 })).toEqual([]);
    clock.advance(1);
    expect(leave({ minute: 0 })).toMatchObject([{ once: { until: NOON + 2 * HOUR } }]);
  });

  it("are kept for each account, and for the last 10,000 windows at most", () => {
    const { leave } = watching();
    expect(leave({ day: 0 }, NOON, "acc_first")).toHaveLength(1);
    const others = Array.from({ length: 9999 }, (_, index) => leave({ day: 0 }, NOON, `acc_${index}`));
    expect(others.flat()).toHaveLength(9999);
    expect(leave({ day: 0 }, NOON, "acc_first")).toEqual([]);
    expect(leave({ day: 0 }, NOON, "acc_more")).toHaveLength(1);
    // The oldest was forgotten and is reported again. Receivers deduplicate by `once`.
    expect(leave({ day: 0 }, NOON, "acc_first")).toHaveLength(1);
  });

  it("are raised once in each period of a window, with limit.reached possible after limit.warning", () => {
    const step = fc.record({
      account: fc.constantFrom("acc_a", "acc_b"),
      name: fc.constantFrom(...NAMES),
      left: fc.constantFrom(100, 21, 20, 1, 0.5, 0),
      hours: fc.nat({ max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { leave } = watching();
        const told: string[] = [];
        for (const { account, name, left, hours } of steps) {
          const until = NOON + (hours + 1) * HOUR;
          const share = name === "day" ? left * 10 : left;
          const alerts = leave(
            { [name]: share },
            name === "day" ? NOON + (hours + 1) * 24 * HOUR : until,
            account,
          );
          // The clock is stopped, so the minute's period is always the same hour.
          const period = `${account} ${name} ${name === "minute" ? 0 : hours}`;
          // Only the last period of a window is remembered, since periods follow each other.
          const last = told.findLast((each) => each.startsWith(`${account} ${name} `));
          const type = share < 1 ? "limit.reached" : "limit.warning";
          const isNew = last !== `${period} limit.reached` && last !== `${period} ${type}`;
          const expected = name !== "usage.track" && left <= 20 && isNew;
          expect(alerts.map((alert) => alert.type)).toEqual(expected ? [type] : []);
          if (expected) told.push(`${period} ${type}`);
        }
      }),
    );
  });

  it("are raised when 80 % of a month's uses are counted, and when all are, once a month for each type", () => {
    const { use } = watching();
    expect(use(7)).toEqual([]);
    expect(use(8)).toEqual([
      {
        type: "limit.warning",
        accountId: "acc_one",
        subject: "limit/month/mcp_calls",
        once: { key: `limit.warning/month/mcp_calls/${56 * 12 + 1}/10`, until: FEBRUARY },
        data: {
          window: "month",
          usageType: "mcp_calls",
          limit: 10,
          used: 8,
          resetsAt: "2026-02-01T00:00:00.000Z",
        },
      },
    ]);
    expect(use(9)).toEqual([]);
    expect(use(8, FEBRUARY, "api_calls")).toHaveLength(1);
    expect(use(8, FEBRUARY, "mcp_calls", "acc_two")).toHaveLength(1);
    expect(use(10)).toMatchObject([{ type: "limit.reached", data: { used: 10 } }]);
    // What programs report is counted beyond the limit.
    expect(use(25)).toEqual([]);
    expect(use(8, Date.UTC(2026, 2))).toMatchObject([{ type: "limit.warning" }]);
  });

  it("are raised anew in a month for another limit, as of a larger plan", () => {
    const { use } = watching();
    const used = (count: number, limit: number) => use(count, FEBRUARY, "mcp_calls", "acc_one", limit);
    expect(used(10, 10)).toMatchObject([{ type: "limit.reached" }]);
    expect(used(10, 100)).toEqual([]);
    expect(used(80, 100)).toMatchObject([{ type: "limit.warning", data: { limit: 100, used: 80 } }]);
    expect(used(81, 100)).toEqual([]);
    expect(used(100, 100)).toMatchObject([{ type: "limit.reached" }]);
  });

  it("are not raised where a plan includes no uses of a type", () => {
    const { use } = watching();
    expect([
      use(0, FEBRUARY, "mcp_calls", "acc_one", 0),
      use(3, FEBRUARY, "mcp_calls", "acc_one", 0),
    ]).toEqual([[], []]);
  });
});

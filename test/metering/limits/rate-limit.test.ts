import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accountWindows,
  addressWindow,
  controlWindow,
  effectiveLimits,
  endpointWindow,
  type NamedWindow,
  refusal,
  report,
  windowSet,
} from "../../../src/metering/limits/rate-limit.ts";
import type { Verdict } from "../../../src/store/store.ts";
import { advance, needed, remaining, stateOf, take, type WindowRecord } from "../../../src/store/window.ts";
import { runs } from "../../support/runs.ts";

const FREE = { requestsPerMinute: 20, requestsPerHour: 100, requestsPerDay: 1000, burst: 40 };
const NOON = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;

/** Returns a counter that applies the windows' arithmetic as an adapter does. */
function counter() {
  const records = new Map<string, WindowRecord>();
  return (windows: readonly NamedWindow[], now: number): Verdict => {
    const standing = windows.map((window) => advance(window, records.get(window.key), now));
    const admitted = windows.every((window, index) => remaining(window, standing[index]!) >= needed(window));
    const after = admitted ? standing.map((record, index) => take(windows[index]!, record)) : standing;
    windows.forEach((window, index) => {
      records.set(window.key, after[index]!);
    });
    return { admitted, windows: windows.map((window, index) => stateOf(window, after[index]!, now)) };
  };
}

describe("an account's limits", () => {
  it("admit a burst of twice the minute, and name the window that refuses the next request", () => {
    const admit = counter();
    const windows = accountWindows("acc_1", FREE, undefined);
    for (let count = 0; count < 40; count++) expect(admit(windows, NOON).admitted).toBe(true);
    const verdict = admit(windows, NOON);
    expect(verdict.admitted).toBe(false);
    const problem = refusal(windowSet(windows), verdict, NOON);
    expect(problem).toMatchObject({ error: "rate_limited", status: 429 });
    expect(problem.detail).toBe("The limit of 20 requests a minute is used up. Try again in 3 s.");
    expect(problem.extras.headers).toEqual({ "Retry-After": "3" });
    const ofPlan = windowSet(accountWindows("acc_1", FREE, undefined, { planName: "Free of charge" }));
    expect(refusal(ofPlan, verdict, NOON).detail).toBe(
      "The limit of 20 requests a minute of this account (plan Free of charge) is used up. Try again in 3 s, or ask the operator of this server for a larger plan.",
    );
  });

  it("count X-RateLimit-Remaining from the plan's minute down to 0, and keep 0 through the burst", () => {
    const admit = counter();
    const windows = accountWindows("acc_1", FREE, undefined);
    const shown = Array.from(
      { length: 41 },
      () => report(windowSet(windows), admit(windows, NOON), NOON).remaining,
    );
    expect(shown.slice(0, 20)).toEqual([
      19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
    ]);
    expect(new Set(shown.slice(20))).toEqual(new Set([0]));
  });

  it("describe in the X-RateLimit headers the window with the smallest share left", () => {
    const admit = counter();
    const windows = accountWindows("acc_1", FREE, undefined);
    expect(report(windowSet(windows), admit(windows, NOON), NOON)).toMatchObject({
      limit: 20,
      remaining: 19,
      policy: "20;w=60",
      reset: NOON / 1000 + 3,
    });
    for (let count = 2; count <= 30; count++) admit(windows, NOON);
    const refilled = NOON + 2 * MINUTE;
    expect(report(windowSet(windows), admit(windows, refilled), refilled)).toMatchObject({
      limit: 100,
      remaining: 69,
      policy: "100;w=3600",
      reset: NOON / 1000 + 3600,
    });
  });

  it("describe all windows in the fields of the IETF's draft", () => {
    const windows = accountWindows("acc_1", FREE, undefined);
    const { standard } = report(windowSet(windows), counter()(windows, NOON), NOON + 500);
    expect(standard).toEqual({
      policy: '"minute";q=40;w=60, "hour";q=100;w=3600, "day";q=1000;w=86400',
      limit: '"minute";r=39;t=3, "hour";r=99;t=3600, "day";r=999;t=43200',
    });
  });

  it("never show a negative remainder or reset", () => {
    const windows = [addressWindow("address/192.0.2.1", 5)];
    const verdict = { admitted: false, windows: [{ remaining: -3, resetAt: NOON, nextAt: NOON }] };
    expect(report(windowSet(windows), verdict, NOON + 9000)).toMatchObject({
      remaining: 0,
      standard: { limit: '"minute";r=0;t=0' },
    });
  });

  it.each([
    [
      endpointWindow("acc", "usage.track", { requests: 9, windowSeconds: 30 }),
      "9 requests in 30 s on usage.track",
    ],
    [
      endpointWindow("acc", "usage.track", { requests: 9, windowSeconds: 3600 }),
      "9 requests an hour on usage.track",
    ],
    [
      endpointWindow("acc", "usage.track", { requests: 9, windowSeconds: 86_400 }),
      "9 requests a day on usage.track",
    ],
    [controlWindow("key", "control", 9), "9 requests a minute for administration with one credential"],
    [controlWindow("acc", "control-account", 9), "9 requests a minute for administration of one account"],
    ...accountWindows("acc", { ...FREE, requestsPerHour: 9, requestsPerDay: 9 }, undefined)
      .slice(1)
      .map((window): [NamedWindow, string] => [
        window,
        `9 requests ${window.name === "day" ? "a day" : "an hour"}`,
      ]),
  ])("say which limit is used up: %j", (window, what) => {
    const verdict = { admitted: false, windows: [{ remaining: 0, resetAt: NOON + 1, nextAt: NOON + 1500 }] };
    expect(refusal(windowSet([window]), verdict, NOON).detail).toBe(
      `The limit of ${what} is used up. Try again in 2 s.`,
    );
  });

  it("refuse by the hour when the minute would admit", () => {
    const admit = counter();
    const windows = accountWindows("acc_1", FREE, undefined);
    let now = NOON;
    let admitted = 0;
    while (admit(windows, now).admitted) {
      admitted++;
      now += 3000;
    }
    expect(admitted).toBe(100);
    const verdict = admit(windows, now);
    expect(report(windowSet(windows), verdict, now)).toMatchObject({
      limit: 100,
      remaining: 0,
      policy: "100;w=3600",
    });
    expect(refusal(windowSet(windows), verdict, now).extras.members).toMatchObject({ window: "hour" });
  });

  it("name the window that opens last if several are used up, in any order", () => {
    const admit = counter();
    const minute = addressWindow("address/192.0.2.1", 1);
    const day = endpointWindow("address/192.0.2.1", "auth.device.code", {
      requests: 1,
      windowSeconds: 86_400,
    });
    for (const windows of [
      [minute, day],
      [day, minute],
    ]) {
      admit(windows, NOON);
      const verdict = admit(windows, NOON);
      expect(report(windowSet(windows), verdict, NOON).policy).toBe("1;w=86400");
      expect(refusal(windowSet(windows), verdict, NOON).extras.members).toEqual({
        window: "auth.device.code",
        retryAfterSeconds: 12 * 3600,
      });
    }
  });

  it("give a Retry-After of at least one second", () => {
    const admit = counter();
    const windows = [addressWindow("address/192.0.2.1", 1)];
    admit(windows, NOON);
    const verdict = admit(windows, NOON);
    const late = refusal(windowSet(windows), verdict, NOON + 60_000);
    expect(late.extras).toMatchObject({ headers: { "Retry-After": "1" }, members: { retryAfterSeconds: 1 } });
  });

  it("prefer the account's own limits to the plan's, and double its minute for the burst", () => {
    expect(effectiveLimits(FREE, { requestsPerMinute: 300 })).toEqual({
      ...FREE,
      requestsPerMinute: 300,
      burst: 600,
    });
    expect(effectiveLimits(FREE, { burst: 25 })).toEqual({ ...FREE, burst: 25 });
    expect(effectiveLimits(FREE, undefined)).toEqual(FREE);
  });

  it("are counted under distinct keys, with a new key for a changed minute", () => {
    const keys = (minute: number, burst = 40, id = "acc_1") =>
      accountWindows(id, { ...FREE, requestsPerMinute: minute, burst }, undefined).map(({ key }) => key);
    expect(keys(20)).toEqual(["account/acc_1/minute/20-40", "account/acc_1/hour", "account/acc_1/day"]);
    expect(keys(30, 50)).toEqual(["account/acc_1/minute/30-50", "account/acc_1/hour", "account/acc_1/day"]);
    const limit = { requests: 1, windowSeconds: 60 };
    const others = [
      addressWindow("address/192.0.2.1", 60),
      addressWindow("address/192.0.2.2", 60),
      controlWindow("key/key_1", "control", 60),
      controlWindow("key/key_2", "control", 60),
      endpointWindow("account/acc_1", "usage.track", limit),
      endpointWindow("account/acc_1", "auth.device.code", limit),
      endpointWindow("account/acc_2", "usage.track", limit),
    ].map(({ key }) => key);
    const all = [...keys(20), ...keys(20, 40, "acc_2"), ...others];
    expect(new Set(all).size).toBe(all.length);
  });

  it("use twice the minute as burst if neither the plan nor the account sets one", () => {
    const { burst: _, ...plan } = FREE;
    expect(effectiveLimits(plan, undefined).burst).toBe(40);
    expect(effectiveLimits(plan, { requestsPerMinute: 7 }).burst).toBe(14);
    expect(effectiveLimits(plan, { requestsPerHour: 7, requestsPerDay: 70 })).toEqual({
      ...FREE,
      requestsPerHour: 7,
      requestsPerDay: 70,
    });
    expect(effectiveLimits(FREE, { requestsPerMinute: 7, burst: 9 }).burst).toBe(9);
  });

  it("name an endpoint's own limit when it blocks", () => {
    const admit = counter();
    const windows = [
      addressWindow("address/192.0.2.1", 60),
      endpointWindow("address/192.0.2.1", "auth.device.code", { requests: 5, windowSeconds: 60 }),
    ];
    for (let count = 0; count < 5; count++) expect(admit(windows, NOON).admitted).toBe(true);
    const verdict = admit(windows, NOON);
    expect(refusal(windowSet(windows), verdict, NOON).detail).toContain(
      "5 requests a minute on auth.device.code",
    );
    expect(report(windowSet(windows), verdict, NOON).policy).toBe("5;w=60");
  });

  it("never admit more than burst + perMinute · t/60 in any t seconds", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 300 }), (gaps) => {
        const admit = counter();
        const windows = accountWindows(
          "acc_1",
          { ...FREE, requestsPerHour: 1e9, requestsPerDay: 1e9 },
          undefined,
        );
        const admitted: number[] = [];
        let now = NOON;
        for (const gap of gaps) {
          now += gap;
          if (admit(windows, now).admitted) admitted.push(now);
        }
        for (let from = 0; from < admitted.length; from++) {
          for (let to = from; to < admitted.length; to++) {
            const seconds = (admitted[to]! - admitted[from]!) / 1000;
            expect(to - from + 1).toBeLessThanOrEqual(40 + (20 * seconds) / 60 + 1e-6);
          }
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it("give a Retry-After at which the next request is admitted", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 50, maxLength: 200 }), (gaps) => {
        const admit = counter();
        const windows = accountWindows("acc_1", FREE, undefined);
        let now = NOON;
        for (const gap of gaps) {
          now += gap;
          const verdict = admit(windows, now);
          if (verdict.admitted) continue;
          const after = Number(refusal(windowSet(windows), verdict, now).extras.headers?.["Retry-After"]);
          expect(admit(windows, now + after * 1000).admitted).toBe(true);
          return;
        }
      }),
    );
  });
});

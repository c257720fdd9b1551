import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LimitWindow } from "../../src/store/store.ts";
import {
  admit,
  advance,
  needed,
  notAhead,
  remaining,
  retentionMs,
  stateOf,
  take,
  type WindowRecord,
} from "../../src/store/window.ts";

const fixed: LimitWindow = { key: "k", capacity: 5, kind: "fixed", windowMs: 1000 };
const bucket: LimitWindow = { key: "k", capacity: 6, kind: "bucket", windowMs: 1000, refill: 3 };

describe("a fixed window", () => {
  it("admits exactly its capacity while the clock moves between two windows", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ window: fc.constantFrom(100, 250), asks: fc.nat(8) })), (visits) => {
        const used = new Map<number, number>();
        let record: WindowRecord | undefined;
        for (const { window, asks } of visits) {
          for (let ask = 0; ask < asks; ask++) {
            const now = window * 1000 + 17;
            record = advance(fixed, record, now);
            const admits = remaining(fixed, record) >= needed(fixed);
            const before = used.get(window) ?? 0;
            expect(admits).toBe(before < 5);
            if (!admits) continue;
            record = take(fixed, record);
            used.set(window, before + 1);
          }
        }
      }),
    );
  });

  it("reports when it resets and when it next admits", () => {
    const record = take(fixed, advance(fixed, undefined, 1200));
    expect(stateOf(fixed, record, 1200)).toEqual({ remaining: 4, resetAt: 2000, nextAt: 1200 });
    expect(stateOf({ ...fixed, cost: 5 }, record, 1200)).toEqual({
      remaining: 4,
      resetAt: 2000,
      nextAt: 2000,
    });
  });
});

describe("a bucket", () => {
  it("admits at most its capacity and its refill in any period", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ waits: fc.nat(3000), asks: fc.nat(9) })), (visits) => {
        let record: WindowRecord | undefined;
        let now = 5000;
        const admissions: number[] = [];
        for (const { waits, asks } of visits) {
          now += waits;
          for (let ask = 0; ask < asks; ask++) {
            record = advance(bucket, record, now);
            if (remaining(bucket, record) < needed(bucket)) continue;
            record = take(bucket, record);
            admissions.push(now);
          }
        }
        for (const [first, from] of admissions.entries()) {
          for (const [last, to] of admissions.entries()) {
            if (last >= first)
              expect(last - first + 1).toBeLessThanOrEqual(6 + ((to - from) / 1000) * 3 + 1e-6);
          }
        }
      }),
    );
  });

  it("gains nothing when the clock runs backwards, and refills from there", () => {
    const empty: WindowRecord = { value: 0, at: 1_000_000 };
    const back = advance(bucket, empty, 5000);
    expect(back).toEqual({ value: 0, at: 5000 });
    expect(remaining(bucket, advance(bucket, back, 6000))).toBe(3);
  });

  it("reports when it is full again and when it next admits", () => {
    const record = { value: 0.5, at: 0 };
    expect(stateOf(bucket, record, 9000)).toEqual({ remaining: 0.5, resetAt: 10_834, nextAt: 9167 });
    expect(stateOf({ ...bucket, cost: 2 }, record, 9000)).toMatchObject({ nextAt: 9500 });
  });
});

describe("an admission", () => {
  const full: WindowRecord = { value: 6, at: 1000 };
  const unused: WindowRecord = { value: 0, at: 1000 };

  /** Admits a request. `taken` has the new value of each window, or undefined if nothing was taken. */
  function admitted(windows: readonly LimitWindow[], records: readonly WindowRecord[]) {
    const taken = new Map<LimitWindow, number>();
    const verdict = admit(windows, records, 1000, (window, { value }) => taken.set(window, value));
    return {
      admitted: verdict.admitted,
      left: verdict.windows.map((state) => state.remaining),
      taken: windows.map((window) => taken.get(window)),
    };
  }

  it("takes its cost from every window, one by default", () => {
    const asked = admitted([fixed, { ...bucket, cost: 2 }], [unused, full]);
    expect(asked).toEqual({ admitted: true, left: [4, 4], taken: [1, 4] });
  });

  it("takes nothing from any window if one is short", () => {
    for (const [windows, records] of [
      [
        [fixed, { ...bucket, cost: 7 }],
        [unused, full],
      ],
      [
        [{ ...fixed, cost: 6 }, bucket],
        [unused, full],
      ],
    ] as const) {
      expect(admitted(windows, records)).toEqual({
        admitted: false,
        left: [5, 6],
        taken: [undefined, undefined],
      });
    }
  });

  it("takes nothing at cost 0, and is refused if nothing is left", () => {
    const asking = { ...fixed, cost: 0 };
    expect(admitted([asking, bucket], [{ value: 4, at: 1000 }, full])).toEqual({
      admitted: true,
      left: [1, 5],
      taken: [undefined, 5],
    });
    expect(admitted([asking], [{ value: 5, at: 1000 }]).admitted).toBe(false);
    // The count exceeds the capacity after that was lowered.
    expect(admitted([asking], [{ value: 9, at: 1000 }])).toMatchObject({ admitted: false, left: [0] });
  });
});

describe("the record of a window", () => {
  it("is never ahead of the clock after a restart", () => {
    const record: WindowRecord = { value: 2, at: 5000 };
    expect(notAhead(record, 4000)).toEqual({ value: 2, at: 4000 });
    for (const now of [5000, 6000]) expect(notAhead(record, now)).toBe(record);
  });

  it("is kept until it no longer differs from a new one", () => {
    // The last window and the one before it, to which a clock may jump back.
    expect(retentionMs(fixed)).toBe(2000);
    // Refilling six at three a second takes two seconds.
    expect(retentionMs(bucket)).toBe(2000);
    expect(retentionMs({ ...bucket, refill: 6 })).toBe(1000);
    const { refill: _, ...whole } = bucket;
    expect(retentionMs(whole)).toBe(1000);
  });
});

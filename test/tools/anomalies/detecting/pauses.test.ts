import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lengthOf, memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createPauses, type Pause } from "../../../../src/tools/anomalies/detecting/pauses.ts";
import { runs } from "../../../support/runs.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const fresh = () => new Float64Array(lengthOf(createPauses));

/** Returns what is reported of each interval. */
function said(intervals: readonly number[], allowedMs?: number) {
  const pauses = createPauses(memoryOver(fresh()));
  let at = 0;
  pauses.before(at, allowedMs);
  return intervals.map((ms) => {
    at += ms;
    return pauses.before(at, allowedMs);
  });
}

const times = (count: number, ms: number) => Array<number>(count).fill(ms);
/** Returns the indexes of the intervals that are reported. */
const toldAt = (intervals: readonly number[]) =>
  said(intervals).flatMap((pause, index) => (pause ? [index] : []));

describe("a pause", () => {
  it.each<[string, number[], number[]]>([
    ["ten times as long as the others is none", [...times(20, MINUTE), 10 * MINUTE], []],
    ["a little longer is one", [...times(20, MINUTE), 10 * MINUTE + 1], [20]],
    ["after nine intervals is none", [...times(9, MINUTE), HOUR], []],
    ["after ten is one", [...times(10, MINUTE), HOUR], [10]],
    // Two of twenty are a tenth; three are more.
    ["that two of twenty were like is one", [...times(2, HOUR / 5), ...times(18, MINUTE), HOUR], [20]],
    ["that three of twenty were like is none", [...times(3, HOUR / 5), ...times(17, MINUTE), HOUR], []],
    ["is told by the last 48 intervals alone", [...times(6, HOUR), ...times(48, MINUTE), HOUR], [54]],
    ["and by as many", [...times(6, HOUR), ...times(47, MINUTE), HOUR], [53]],
  ])("%s", (_, intervals, told) => expect(toldAt(intervals)).toEqual(told));

  it.each<[string, number[], number[]]>([
    ["five times as long as each of 48 hours is one", [...times(48, HOUR), 5 * HOUR], [48]],
    ["a little shorter is none", [...times(48, HOUR), 5 * HOUR - 1], []],
    ["after 47 is none", [...times(47, HOUR), 5 * HOUR], []],
    [
      "where one of them was longer is none",
      [...times(24, HOUR), 2 * HOUR, ...times(23, HOUR), 7 * HOUR],
      [],
    ],
    ["of less than four hours is none", [...times(48, HOUR / 2), 4 * HOUR - 1], []],
    ["of four hours is one", [...times(48, HOUR / 2), 4 * HOUR], [48]],
  ])("of hours, %s", (_, intervals, told) => expect(toldAt(intervals)).toEqual(told));

  it("is reported with the median interval before, and a strangeness in proportion to that", () => {
    const [last] = said([...times(6, MINUTE), ...times(5, 3 * MINUTE), 60 * MINUTE]).slice(-1);
    expect(last).toEqual({ ms: HOUR, usualMs: MINUTE, strangeness: 6 });
    const [odd] = said([...times(5, MINUTE), ...times(6, 3 * MINUTE), 60 * MINUTE]).slice(-1);
    expect(odd).toEqual({ ms: HOUR, usualMs: 3 * MINUTE, strangeness: 2 });
  });

  it("is reported again only a hundred points after the last reported pause", () => {
    const told = (points: number) =>
      toldAt([...times(20, MINUTE), HOUR, ...times(points, MINUTE), 3 * HOUR]).length;
    expect([told(98), told(99), told(100)]).toEqual([1, 2, 2]);
  });

  it("delays the next report by a hundred points even if not reported itself", () => {
    const quiet = [...times(20, MINUTE), HOUR, ...times(60, MINUTE), 3 * HOUR, ...times(60, MINUTE)];
    expect(toldAt([...quiet, 9 * HOUR])).toEqual([20]);
    expect(toldAt([...quiet, ...times(40, MINUTE), 9 * HOUR])).toEqual([20, 182]);
  });

  it.each<[string, number, number, boolean]>([
    ["as long at the same time of day is none", HOUR, 0, false],
    ["an hour and a half later is none", HOUR, 90 * MINUTE, false],
    ["and a minute more is one", HOUR, 91 * MINUTE, true],
    ["an hour and a half earlier is none", HOUR, -90 * MINUTE, false],
    ["and a minute more is one", HOUR, -91 * MINUTE, true],
    ["a quarter longer is none", 75 * MINUTE, 0, false],
    ["longer still is one", 75 * MINUTE + 1, 0, true],
    ["a fifth shorter is none", 48 * MINUTE, 0, false],
    ["shorter still is one", 48 * MINUTE - 1, 0, true],
  ])("that recurs on another day, %s", (_, second, later, isNews) => {
    // At any time of day, also around midnight and before the epoch.
    for (const start of [0, 12 * HOUR, 23.5 * HOUR, -40 * DAY - 23.5 * HOUR]) {
      const pauses = createPauses(memoryOver(fresh()));
      const told = (from: number, ms: number) => {
        for (let point = 30; point >= 0; point--) pauses.before(from - point * MINUTE, undefined);
        return pauses.before(from + ms, undefined) !== undefined;
      };
      expect(told(start, HOUR)).toBe(true);
      // More than a hundred points a minute apart in between, in another session.
      pauses.begin();
      const next = start + 9 * DAY + later;
      for (let point = 200; point > 30; point--) pauses.before(next - point * MINUTE, undefined);
      expect(told(next, second)).toBe(isNews);
    }
  });

  it("is compared with the last 64 long pauses only", () => {
    const pauses = createPauses(memoryOver(fresh()));
    let at = 0;
    const told = (ms: number) => {
      for (let point = 1; point <= 120; point++) pauses.before(at + point * MINUTE, undefined);
      at += 120 * MINUTE + ms;
      return pauses.before(at, undefined) !== undefined;
    };
    const begin = () => {
      at = Math.ceil(at / DAY) * DAY;
      pauses.begin();
      pauses.before(at, undefined);
    };
    const all = (some: readonly number[]) =>
      some.map((ms) => {
        begin();
        return told(ms);
      });
    const lengths = Array.from({ length: 65 }, (_, index) => HOUR * 1.3 ** index);
    const [first = 0, second = 0, third = 0] = lengths;
    expect(all(lengths.slice(0, 64))).not.toContain(false);
    expect(all([first])).toEqual([false]);
    // The repeated pause is now the newest, so the next one to be forgotten is the second.
    expect(all(lengths.slice(64))).toEqual([true]);
    expect(all([third, second])).toEqual([false, true]);
  });
});

it("every pause longer than an allowed pause is reported, in proportion to its length", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 1, max: 90 }),
      (intervals, allowedMs) => {
        const found = said(intervals, allowedMs);
        const expected = intervals.map((ms, index): Pause | undefined => {
          if (ms <= allowedMs) return undefined;
          const last = intervals.slice(Math.max(0, index - 48), index).sort((a, b) => a - b);
          const { length } = last;
          const middle =
            ((last[Math.floor((length - 1) / 2)] ?? ms) + (last[Math.floor(length / 2)] ?? ms)) / 2;
          return { ms, usualMs: middle, strangeness: Math.max(1, ms / middle / 10), allowedMs };
        });
        const rounded = (pauses: (Pause | undefined)[]) =>
          pauses.map((each) => each && { ...each, strangeness: each.strangeness.toFixed(9) });
        expect(rounded(found)).toEqual(rounded(expected));
      },
    ),
    { numRuns: runs(50) },
  );
});

import { describe, expect, it } from "vitest";
import { createAftermath } from "../../../../src/tools/anomalies/detecting/aftermath.ts";
import { memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createRecent } from "../../../../src/tools/anomalies/detecting/recent.ts";

const expected = { low: -1, mid: 0, high: 1 };

/** Watches the values after the first, whose strangeness is 2. Returns the outcomes and the indexes of their values. */
function outcomesOf(values: readonly number[], { length = 70, earlier = [] as number[], before = 288 } = {}) {
  const memory = memoryOver(new Float64Array(200));
  const recent = createRecent(memory, 80);
  const aftermath = createAftermath(memory, recent, length);
  for (const value of earlier) recent.push(value);
  return values.flatMap((value, index) => {
    recent.push(value);
    if (index === 0) aftermath.begin(2, { expected, before });
    const outcome = index === 0 ? undefined : aftermath.next(value);
    return outcome ? [[index, outcome.kind]] : [];
  });
}

const times = (count: number, value: number) => Array<number>(count).fill(value);

describe("the aftermath of a strange point", () => {
  it.each<[string, number[], [number, string][]]>([
    ["nothing where it stays alone", [5, ...times(60, 0)], []],
    ["nothing where seven are on one side", [...times(7, 5), 0], []],
    ["a level shift with the eighth", [10, 10, 12, 9, 11, 10, 12, 9], [[7, "level_shift"]]],
    ["the same below", [-10, -10, -12, -9, -11, -10, -12, -9], [[7, "level_shift"]]],
    ["and that once", times(60, 10), [[7, "level_shift"]]],
    ["no matter how far off before", [...times(7, 5), 1, ...times(8, 5)], [[15, "level_shift"]]],
    ["a bound is not beyond", [...times(7, 5), 1, ...times(7, 5)], []],
    ["nor is the other", [...times(7, -5), -1, ...times(7, -5)], []],
    ["a trend where values move on and on", [3, 4, 5, 6, 7, 8, 9, 10], [[7, "trend"]]],
    ["down as well", [-3, -4, -5, -6, -7, -8, -9, -10], [[7, "trend"]]],
    ["nothing where they are on their way back", [20, 19, 18, 17, 16, 15, 14, 13], []],
    ["nor from below", [-20, -19, -18, -17, -16, -15, -14, -13], []],
    ["nor where a burst drains for long", [80, 61, 47, 36, 28, 21, 16, 12, 9, 7, 5, 4, 3, 2, 0], []],
    ["a level shift where they stop half way", [80, 61, 47, ...times(30, 36)], [[7, "level_shift"]]],
    ["a variance with four on either side", [5, -5, 5, -5, 5, -5, 5, -5], [[7, "variance"]]],
    ["also where others are between", [5, 0, -5, 5, 0, -5, 5, -5, 5, 0, -5], [[10, "variance"]]],
    ["and on whichever side first", [-5, 0, 5, -5, 0, 5, -5, 5, -5, 0, 5], [[10, "variance"]]],
    ["three on one side are too few", [5, 5, 5, 5, -5, -5, -5, 5, 5, 0], []],
    ["a run begins anew on the other side", [...times(6, 5), ...times(3, -5), ...times(5, 5)], []],
  ])("has the outcome: %s", (_, values, outcomes) => expect(outcomesOf(values)).toEqual(outcomes));

  it("is judged by the values after the point, not by those before", () => {
    const earlier = times(50, 100);
    expect(outcomesOf([3, 4, 5, 6, 7, 8, 9, 10], { earlier })).toEqual([[7, "trend"]]);
  });

  it("is no variance where chance alone goes so often beyond the bounds of few points", () => {
    const either = [5, -5, 5, -5, 5, -5, 5, -5, ...times(60, 0)];
    expect(outcomesOf(either, { before: 288 })).toEqual([[7, "variance"]]);
    expect(outcomesOf(either, { before: 12 })).toEqual([]);
    const often = Array.from({ length: 70 }, (_, index) => (index % 2 ? -5 : 5));
    expect(outcomesOf(often, { before: 12 })).toEqual([[11, "variance"]]);
  });

  it("is watched for the given number of points, the strange one included", () => {
    expect(outcomesOf(times(20, 10), { length: 8 })).toEqual([[7, "level_shift"]]);
    expect(outcomesOf(times(20, 10), { length: 7 })).toEqual([]);
  });

  it("is reported with the first expectation and the greatest strangeness since", () => {
    const memory = memoryOver(new Float64Array(200));
    const recent = createRecent(memory, 80);
    const aftermath = createAftermath(memory, recent, 70);
    const next = (value: number) => {
      recent.push(value);
      return aftermath.next(value);
    };
    expect(next(5)).toBeUndefined();
    for (const strangeness of [2, 3]) {
      aftermath.begin(strangeness, { expected, before: 30 });
      expect(next(10)).toBeUndefined();
      aftermath.begin(strangeness + 3, { expected: { low: 7, mid: 8, high: 9 }, before: 31 });
      aftermath.begin(1, { expected, before: 30 });
      for (let count = 0; count < 5; count++) expect(next(10)).toBeUndefined();
      const told = { kind: "level_shift", strangeness: strangeness + 3, expected, before: 30 };
      expect(next(10)).toEqual(told);
      expect(next(10)).toBeUndefined();
    }
  });
});

import { describe, expect, it } from "vitest";
import { createDetector, type Settings } from "../../../../src/tools/anomalies/detecting/detector.ts";
import { lengthOf, memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { builds, judge } from "../series.ts";

/** Judges values after fifteen usual ones by settings, and returns the thresholds that were passed. */
function passedBy(values: readonly number[], settings: Settings): string[] {
  const { findings } = judge([...builds(15), ...values], { settings, sensitivity: "low" });
  return findings.flatMap(({ index, kind, threshold }) =>
    threshold === undefined ? [] : [`${index - 15} ${kind} of ${threshold}`],
  );
}

describe("a threshold", () => {
  it.each<[string, number[], Settings, string[]]>([
    ["is not passed by a value on it", [130], { high: 130 }, []],
    ["is passed by one above", [130.1], { high: 130 }, ["0 spike of 130"]],
    ["below is not passed by a value on it", [70], { low: 70 }, []],
    ["below is passed by one below", [69.9], { low: 70 }, ["0 drop of 70"]],
    [
      "is passed once until values are back",
      [140, 150, 100, 140],
      { high: 130 },
      ["0 spike of 130", "3 spike of 130"],
    ],
    ["is back where it lies", [140, 130, 140], { high: 130 }, ["0 spike of 130", "2 spike of 130"]],
    ["is one of two", [140, 100, 60], { low: 70, high: 130 }, ["0 spike of 130", "2 drop of 70"]],
    [
      "is no news right behind the other",
      [140, 60, 100, 60],
      { low: 70, high: 130 },
      ["0 spike of 130", "3 drop of 70"],
    ],
    ["of zero counts", [-1, 1, -1], { low: 0 }, ["0 drop of 0", "2 drop of 0"]],
    ["of zero counts above", [1], { high: 0 }, []],
  ])("%s", (_, values, settings, told) => expect(passedBy(values, settings)).toEqual(told));

  it("is reported again in a new session", () => {
    const settings = { high: 130 };
    const { memory } = judge([...builds(15), 140], { settings });
    expect(judge([140, 140], { settings, memory }).findings).toMatchObject([{ index: 0, threshold: 130 }]);
  });

  it("gives a value beyond a strangeness of at least 4", () => {
    const [near] = judge([...builds(15), 101], { settings: { high: 100.9 } }).findings.slice(-1);
    expect(near).toMatchObject({ strangeness: 4, before: 15 });
    const still = Array<number>(600).fill(100);
    const [far] = judge([...still, 1e6], { settings: { high: 130 } }).findings;
    expect(far).toMatchObject({ index: 600, threshold: 130, expected: { low: 100, mid: 100, high: 100 } });
    expect(far?.strangeness).toBeGreaterThan(4);
    expect(far?.strangeness).toBe(judge([...still, 1e6]).findings[0]?.strangeness);
  });

  it("is reported in addition to a level shift at the same point", () => {
    const values = builds(600, { from: 300, add: () => 40 });
    values[307] = 400;
    const told = judge(values, { settings: { high: 300 } }).findings.filter(({ index }) => index === 307);
    expect(told.map(({ kind, threshold }) => [kind, threshold])).toEqual([
      ["spike", 300],
      ["level_shift", undefined],
    ]);
  });
});

describe("findings", () => {
  const values = builds(3000).map((each, index) => each + (index % 170 === 169 ? 3 + index / 120 : 0));
  const all = judge(values, { sensitivity: "high" }).findings;

  it("are at least as strange as the sensitivity requires", () => {
    expect(Math.min(...all.map(({ strangeness }) => strangeness))).toBeGreaterThanOrEqual(0.6);
    expect(Math.min(...all.map(({ strangeness }) => strangeness))).toBeLessThan(0.8);
    for (const [sensitivity, least] of [
      ["medium", 1],
      ["low", 1.6],
    ] as const) {
      const expected = all.filter(({ strangeness }) => strangeness >= least);
      expect(judge(values, { sensitivity }).findings).toEqual(expected);
      expect(expected.length).toBeLessThan(all.length);
      expect(expected.length).toBeGreaterThan(0);
    }
  });

  it("of a dismissed kind are kept if still strange enough at its lower weight", () => {
    const remaining = judge(values, { sensitivity: "high", weights: { spike: 0.7 } }).findings;
    const expected = all.flatMap((each) => {
      if (each.kind !== "spike") return [each];
      const strangeness = each.strangeness * 0.7;
      return strangeness >= 0.6 && !each.again ? [{ ...each, strangeness }] : [];
    });
    expect(remaining).toEqual(expected);
    expect(judge(values, { sensitivity: "high", weights: { spike: 1 } }).findings).toEqual(all);
  });

  it("include a pause longer than maxGapMs at low sensitivity", () => {
    const times = builds(60).map((_, index) => index * 60_000 + (index >= 30 ? 70_000 : 0));
    const found = (settings: Settings) => judge(builds(60), { times, settings, sensitivity: "low" }).findings;
    expect(found({ maxGapMs: 60_000 })).toMatchObject([
      { index: 30, kind: "missing_data", strangeness: 1, pause: { ms: 130_000, allowedMs: 60_000 } },
    ]);
    expect(found({ maxGapMs: 130_000 })).toEqual([]);
    expect(found({ maxGapMs: 129_999 })).toHaveLength(1);
  });
});

describe("a detector", () => {
  const fresh = () => createDetector(memoryOver(new Float64Array(lengthOf(createDetector))));

  it("has an expectation from the tenth point on", () => {
    const detector = fresh();
    for (let value = 0; value < 9; value++) detector.judge(value, Number.NaN, {});
    expect([detector.seen(), detector.expectation()]).toEqual([9, undefined]);
    detector.judge(9, Number.NaN, {});
    expect(detector.seen()).toBe(10);
    expect(detector.expectation()).toEqual({ low: 1, mid: 4.5, high: 8 });
  });

  it.each([
    [10, 10],
    [100, 100],
    [287, 287],
    [288, 288],
    [400, 288],
  ])("judges a point after %d others by %d of them", (length, before) => {
    const [last] = judge([...builds(length), 400]).findings.slice(-1);
    expect(last).toMatchObject({ index: length, before });
  });

  it("reports anomalies from the eleventh point on", () => {
    const settings = { high: 200 };
    expect(judge([...builds(9), 400], { settings }).findings).toEqual([]);
    expect(judge([...builds(10), 400], { settings }).findings).toHaveLength(1);
  });
});

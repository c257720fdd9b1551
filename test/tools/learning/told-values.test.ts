import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketOf, bucketValue, publishedValue, rounded } from "../../../src/tools/learning/buckets.ts";
import { conversionOf, keyOf, pathOf, sizeName } from "../../../src/tools/learning/cell.ts";
import { Cohort } from "../../../src/tools/learning/cohort.ts";
import { AnonymitySet } from "../../../src/tools/learning/publishing/k-anonymity.ts";
import { trendOf } from "../../../src/tools/learning/trend.ts";
import { runs } from "../../support/runs.ts";

describe("a bucket", () => {
  it("has a value within half a percent of every value in it", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (value) => {
        expect(Math.abs(bucketValue(bucketOf(value)) / value - 1)).toBeLessThan(0.00501);
      }),
      { numRuns: runs(200) },
    );
  });

  it("of a value below a billionth is that of zero", () => {
    expect([bucketValue(bucketOf(0)), bucketValue(bucketOf(0.99e-9))]).toEqual([0, 0]);
    expect(bucketValue(bucketOf(1e-9))).toBeGreaterThan(0);
    expect(bucketOf(0)).toBeLessThan(bucketOf(1e-9));
  });

  it("begins where the one before ends, and is 1 % wide", () => {
    expect([bucketOf(1), bucketOf(1.0001), bucketOf(1.01), bucketOf(1.0102)]).toEqual([0, 1, 1, 2]);
    expect(bucketValue(bucketOf(0.9901))).toBe(bucketValue(bucketOf(1)));
    expect(bucketOf(0.9895)).toBe(-1);
  });

  it.each([
    // Five steps a decade: values from 10 to 15.8 are reported as the middle of their step, 10 ** 1.1.
    [12, 5, 12.59],
    [12, 9, 12.59],
    [17, 9, 19.95],
    [9, 5, 7.943],
    // Ten steps a decade: values from 10 to 12.6 are reported as 10 ** 1.05.
    [12, 10, 11.22],
    [12, 19, 11.22],
    [13, 19, 14.13],
    [0.12, 19, 0.1122],
  ])("of %d among %d projects is published as %d", (value, projects, told) =>
    expect(publishedValue(bucketOf(value), projects)).toBe(told),
  );

  it("is published exactly among twenty projects, and zero among any number", () => {
    expect(publishedValue(bucketOf(12), 20)).toBe(rounded(bucketValue(bucketOf(12))));
    expect([5, 15, 25].map((projects) => publishedValue(bucketOf(0), projects))).toEqual([0, 0, 0]);
    expect([rounded(123_456), rounded(0.000123456)]).toEqual([123_500, 0.0001235]);
  });
});

describe("AnonymitySet", () => {
  it.each<[string, boolean, boolean]>([
    ["", false, false],
    ["a a a a", false, false],
    ["a b c d", false, false],
    ["a b c d e", true, false],
    ["a a a a a", false, true],
    ["a a a a a b", false, false],
    ["a a b c d", false, false],
    ["a a b c d e", true, false],
    ["a a a b b b", false, false],
    ["a a a a b b b b", true, false],
    ["a a a a a b b b b", true, false],
    ["a a a a a b b b", false, false],
  ])("of %j is k-anonymous: %s, of one account: %s", (accounts, isKAnonymous, ofOneAccount) => {
    const given = accounts === "" ? [] : accounts.split(" ");
    const added = new AnonymitySet();
    for (const account of given) added.add(account);
    for (const set of [added, new AnonymitySet(given)])
      expect([set.size, set.isKAnonymous, set.ofOneAccount]).toEqual([
        given.length,
        isKAnonymous,
        ofOneAccount,
      ]);
  });
});

describe("Cohort", () => {
  /** Returns a cohort of values far enough apart to be reported separately, with their numbers of projects. */
  const cohortOf = (counts: Record<number, number>, more: { accounts?: number; largest?: number } = {}) => {
    const entries = Object.entries(counts).map(([value, count]) => [bucketOf(Number(value)), count] as const);
    const projects = entries.reduce((sum, [, count]) => sum + count, 0);
    return new Cohort({
      projects,
      accounts: projects,
      largest: 1,
      ...more,
      buckets: Object.fromEntries(entries),
    });
  };
  const [one, ten, hundred] = [1.2, 12, 120].map(bucketOf) as [number, number, number];

  it("gives the shares of other projects with a lower, the same and a higher value", () => {
    const cohort = cohortOf({ 1.2: 2, 12: 3, 120: 5 });
    const shares = (bucket: number, told?: number) => {
      const { lower, same, higher } = cohort.others(bucket, told);
      return [lower, same, higher];
    };
    expect(shares(ten)).toEqual([0.2, 0.3, 0.5]);
    expect(shares(one)).toEqual([0, 0.2, 0.8]);
    expect(shares(bucketOf(5))).toEqual([0.2, 0, 0.8]);
    // The own value is counted as the same, as less or as more.
    expect(shares(ten, ten)).toEqual([2 / 9, 2 / 9, 5 / 9]);
    expect(shares(ten, one)).toEqual([1 / 9, 3 / 9, 5 / 9]);
    expect(shares(ten, hundred)).toEqual([2 / 9, 3 / 9, 4 / 9]);
    expect(shares(hundred, one)).toEqual([4 / 9, 5 / 9, 0]);
  });

  it("gives the shares below and above a value, with equal values counted by half", () => {
    const cohort = cohortOf({ 1.2: 2, 12: 3, 120: 5 });
    const below = (bucket: number, instead?: number) => {
      const shares = cohort.shares(bucket, instead);
      expect(shares.above).toBeCloseTo(1 - shares.below);
      return shares.below;
    };
    expect(below(ten)).toBeCloseTo(0.35);
    expect(below(ten, one)).toBeCloseTo((1 + 4 / 2) / 10);
    expect(below(ten, hundred)).toBeCloseTo((2 + 4 / 2) / 10);
    expect(below(one)).toBeCloseTo(0.1);
    expect(below(hundred)).toBeCloseTo(0.75);
  });

  it("interpolates quantiles between neighbouring values", () => {
    const told = (value: number, projects: number) => publishedValue(bucketOf(value), projects);
    const cohort = cohortOf({ 1.2: 3, 120: 3 });
    const [low, high] = [told(1.2, 6), told(120, 6)];
    expect([cohort.quantile(0), cohort.quantile(0.4), cohort.quantile(1)]).toEqual([low, low, high]);
    expect(cohort.quantile(0.5)).toBeCloseTo((low + high) / 2, 1);
    expect(cohort.quantile(0.9)).toBe(high);
  });

  it("gives finer quantiles the more projects are outside the largest account", () => {
    // With twenty of 24 projects in one account, only five hide each other: four others and one of that account.
    const coarse = cohortOf({ 12: 24 }, { accounts: 5, largest: 20 });
    const fine = cohortOf({ 12: 24 }, { accounts: 24, largest: 1 });
    const alone = cohortOf({ 12: 24 }, { accounts: 1, largest: 24 });
    expect(coarse.quantile(0.5)).toBe(12.59);
    expect([fine.quantile(0.5), alone.quantile(0.5)]).toEqual(
      [12, 12].map((value) => publishedValue(bucketOf(value), 24)),
    );
  });
});

describe("the cell of a measurement", () => {
  const cell = { type: "build_duration", unit: "s" } as const;

  it.each<[object, string, string[]]>([
    [{}, "build_duration|s|", ["build_duration|s|"]],
    [{ language: "go" }, "build_duration|s|go|", ["build_duration|s|", "build_duration|s|go|"]],
    [
      { language: "go", size: "big" },
      "build_duration|s|go|big|",
      ["build_duration|s|", "build_duration|s|go|", "build_duration|s|go|big|"],
    ],
    [{ size: "big" }, "build_duration|s||big|", ["build_duration|s|", "build_duration|s||big|"]],
    [{ language: "c|c%" }, "build_duration|s|c%7Cc%25|", ["build_duration|s|", "build_duration|s|c%7Cc%25|"]],
  ])("of %j has the key %j and the path %j", (more, key, path) => {
    expect(keyOf({ ...cell, ...more })).toBe(key);
    expect(pathOf(key)).toEqual(path);
  });

  it.each([
    ["ms", "s", 0.001],
    ["s", "s", 1],
    ["min", "s", 60],
    ["h", "s", 3600],
    ["%", "share", 0.01],
    ["share", "share", 1],
    ["points", "points", 1],
    ["constructor", "constructor", 1],
    ["", "", 1],
  ])("in %j is converted to %j by the factor %d", (given, unit, factor) =>
    expect(conversionOf(given)).toEqual({ unit, factor }),
  );

  it("has a size by power of ten", () => {
    expect([9.9, 10, 999, 1000].map(sizeName)).toEqual([
      "under 10 lines",
      "1e1-1e2 lines",
      "1e2-1e3 lines",
      "1e3-1e4 lines",
    ]);
  });
});

describe("a trend", () => {
  /** Computes the Mann-Kendall test pair by pair, with Kendall's variance of S for ties. */
  function model(values: readonly number[]) {
    const pairs = values.flatMap((from, start) =>
      values.slice(start + 1).map((to, at) => ({ change: to - from, apart: at + 1 })),
    );
    const s =
      pairs.filter(({ change }) => change > 0).length - pairs.filter(({ change }) => change < 0).length;
    const n = values.length;
    const groups = [...new Set(values)].map((value) => values.filter((each) => each === value).length);
    const part = (t: number) => (t * (t - 1) * (2 * t + 5)) / 18;
    const variance = part(n) - groups.map(part).reduce((sum, each) => sum + each, 0);
    const z = variance > 0 ? (Math.abs(s) - 1) / Math.sqrt(variance) : 0;
    const slopes = pairs.map(({ change, apart }) => change / apart).sort((a, b) => a - b);
    const half = slopes.length / 2;
    const slope = ((slopes[Math.ceil(half) - 1] as number) + (slopes[Math.floor(half)] as number)) / 2;
    return {
      direction: z <= 1.96 ? "steady" : s > 0 ? "up" : "down",
      slope,
      isTie: Math.abs(z - 1.96) < 1e-9,
    };
  }

  it("follows the Mann-Kendall test, with the median of all slopes", () => {
    const values = fc
      .tuple(
        fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 5, maxLength: 14 }),
        fc.integer({ min: -2, max: 2 }),
      )
      .map(([jitter, slope]) => jitter.map((each, index) => each + slope * index));
    fc.assert(
      fc.property(values, (values) => {
        const { direction, slope, isTie } = model(values);
        fc.pre(!isTie);
        for (const better of ["higher", "lower"] as const) {
          const found = trendOf(values, better);
          expect(found.slope).toBeCloseTo(slope, 2);
          const isBetter = (direction === "up") === (better === "higher");
          expect(found.direction).toBe(
            direction === "steady" ? "steady" : isBetter ? "improving" : "worsening",
          );
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

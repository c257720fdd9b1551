import fc from "fast-check";
import { expect, it } from "vitest";
import { createDailyView } from "../../../../src/tools/anomalies/detecting/daily-view.ts";
import { lengthOf, memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createTemplateDetector } from "../../../../src/tools/anomalies/detecting/template-detector.ts";
import { runs } from "../../../support/runs.ts";
import { noise } from "../series.ts";

const QUARTER = 900_000;
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

interface Point {
  value: number;
  at: number;
  fromMean: number;
}

/** Models the usual value of each quarter of an hour, recomputed from all of its days for every point. */
function model(points: readonly Point[]): (number | undefined)[] {
  const novelty = createTemplateDetector(memoryOver(new Float64Array(1000)), 1, 0.05);
  const days = new Map<number, number[]>();
  const clockOf = (quarter: number) => ((quarter % 96) + 96) % 96;
  const errors: [byTime: number, byMean: number][] = [];
  let open: { quarter: number; values: number[] } | undefined;
  return points.map(({ value, at, fromMean }) => {
    const quarter = Math.floor(at / QUARTER);
    if (open?.quarter !== quarter) {
      if (open)
        days.set(clockOf(open.quarter), [...(days.get(clockOf(open.quarter)) ?? []), mean(open.values)]);
      open = { quarter, values: [] };
    }
    open.values.push(value);
    const known = days.get(clockOf(quarter));
    if (!known) return undefined;
    const usual = known.reduce((sofar, each) => 0.75 * sofar + 0.25 * each);
    errors.push([Math.abs(value - usual), Math.abs(fromMean)]);
    const strangeness = novelty(Float64Array.of(value - usual));
    const [byTime, byMean] = [0, 1].map((which) =>
      errors.reduce((sofar, each) => (287 * sofar + (each[which] as number)) / 288, 0),
    ) as [number, number];
    return errors.length >= 96 && byTime < 0.8 * byMean ? strangeness : undefined;
  });
}

/** Returns half-hourly points of some days around the epoch. */
function pointsOf(
  seed: number,
  { wave, from, minutes }: { wave: number; from: number; minutes: number },
): Point[] {
  return noise(260, seed).map((each, index) => {
    const at = from * QUARTER + index * minutes * 60_000;
    const daily = wave * Math.sin((2 * Math.PI * at) / (96 * QUARTER));
    // An occasional value that never occurred before.
    return { value: daily + each + (index % 83 === 82 ? 3 * wave : 0), at, fromMean: daily + each };
  });
}

it("the daily view scores points by time of day as its model does", () => {
  const parameters = fc.record({
    wave: fc.constantFrom(0, 1.8, 2.2, 10),
    from: fc.integer({ min: -400, max: 400 }),
    minutes: fc.constantFrom(10, 20, 30, 45),
  });
  let told = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), parameters, (seed, more) => {
      const points = pointsOf(seed, more);
      const view = createDailyView(memoryOver(new Float64Array(lengthOf(createDailyView))));
      const found = points.map(({ value, at, fromMean }) => view.score(value, at, fromMean));
      const rounded = (each: number | undefined) => each?.toFixed(6);
      expect(found.map(rounded)).toEqual(model(points).map(rounded));
      told += found.filter((each) => each !== undefined && each > 0).length;
    }),
    { numRuns: runs(30) },
  );
  expect(told).toBeGreaterThan(0);
});

it("a time of day is new to the daily view until its first quarter of an hour is over", () => {
  const view = createDailyView(memoryOver(new Float64Array(lengthOf(createDailyView))));
  const quarter = -70 * QUARTER;
  const day = 96 * QUARTER;
  view.score(5, quarter, 0);
  expect([quarter, quarter + day, quarter + QUARTER].map(view.isNewAt)).toEqual([true, true, true]);
  view.score(5, quarter + QUARTER, 0);
  expect(view.isNewAt(quarter + day)).toBe(false);
  expect(view.isNewAt(quarter - 3 * day)).toBe(false);
  expect(view.isNewAt(quarter + QUARTER - 1)).toBe(false);
  expect(view.isNewAt(quarter - 1)).toBe(true);
  expect(view.isNewAt(quarter + QUARTER)).toBe(true);
});

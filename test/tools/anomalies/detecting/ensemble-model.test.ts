import { expect, it } from "vitest";
import { createDailyView } from "../../../../src/tools/anomalies/detecting/daily-view.ts";
import { createEnsemble } from "../../../../src/tools/anomalies/detecting/ensemble.ts";
import { lengthOf, memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createTemplateDetector } from "../../../../src/tools/anomalies/detecting/template-detector.ts";
import { noise } from "../series.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const FRESH = () => memoryOver(new Float64Array(lengthOf(createEnsemble)));

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

/** Models the views that the source names, each recomputed from all values up to a point. */
function model(values: readonly number[], times: readonly number[]): number[] {
  const view = (width: 1 | 2, tolerance: number) => {
    const detector = createTemplateDetector(memoryOver(new Float64Array(1000)), width, tolerance);
    return (...features: number[]) => detector(Float64Array.from(features));
  };
  const [finely, coarsely, fromDay] = [view(1, 0.01), view(1, 0.03), view(1, 0.02)];
  const [nearMean, step, extremes] = [view(2, 0.05), view(2, 0.08), view(2, 0.08)];
  const [meanStep, hour, hours] = [view(1, 0.1), view(1, 0.1), view(1, 0.1)];
  const daily = createDailyView(memoryOver(new Float64Array(lengthOf(createDailyView))));
  const steps = values.map((value, index) => Math.abs(value - (values[index - 1] ?? value)));
  return values.map((value, index) => {
    const before = values.slice(0, index);
    const last = (count: number) => values.slice(0, index + 1).slice(-count);
    const before48 = before.slice(-48);
    const off = value - (index === 0 ? value : mean(before.slice(-288)));
    const scores = [
      finely(value),
      coarsely(value),
      fromDay(off),
      nearMean(value, index === 0 ? value : mean(before48)),
      step(value, value - (before.at(-1) ?? value)),
      extremes(Math.max(value, ...before48), Math.min(value, ...before48)),
      meanStep(mean(steps.slice(0, index + 1).slice(-48))),
      hour(mean(last(12)) - mean(last(288))),
      hours(mean(last(48)) - mean(last(288))),
    ];
    const at = times[index] as number;
    const byTime = Number.isNaN(at) ? undefined : daily.score(value, at, off);
    return mean(byTime === undefined ? scores : [...scores, byTime]) / 1.4;
  });
}

/** Returns a series of integers, whose sums are exact in any order. */
function series(length: number, perDay: number, seed: number): number[] {
  return noise(length, seed).map((each, index) => {
    const daily = 200 * Math.sin((2 * Math.PI * index) / perDay);
    const event = index % 211 > 205 ? 900 : index % 397 > 340 ? 60 * each : 0;
    return Math.round(1000 + daily + 20 * each + event);
  });
}

it.each([
  ["a point each five minutes", 5],
  ["a point each half hour", 30],
  ["without times", 0],
])("the ensemble scores a point by the average of its views: %s", (_, minutes) => {
  const length = 900;
  const values = series(length, minutes === 0 ? 200 : 1440 / minutes, 4);
  const times = values.map((_, index) => (minutes === 0 ? Number.NaN : index * minutes * MINUTE));
  const ensemble = createEnsemble(FRESH());
  const found = values.map((value, index) => ensemble.score(value, times[index] as number));
  const expected = model(values, times);
  const far = found.flatMap((each, at) => (Math.abs(each - (expected[at] as number)) > 1e-9 ? [at] : []));
  expect(far).toEqual([]);
  expect(found.some((each) => each > 1)).toBe(true);
});

it("all times are new to the ensemble for 288 points, then only unseen times of day", () => {
  const ensemble = createEnsemble(FRESH());
  for (let index = 0; index < 287; index++) ensemble.score(5, index * MINUTE);
  expect([0, Number.NaN].map(ensemble.isNewAt)).toEqual([true, true]);
  ensemble.score(5, 287 * MINUTE);
  expect([DAY, Number.NaN].map(ensemble.isNewAt)).toEqual([false, false]);
  // 05:00 is a time of day that no point has had.
  expect(ensemble.isNewAt(DAY + 300 * MINUTE)).toBe(true);
});

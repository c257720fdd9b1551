import fc from "fast-check";
import { expect, it } from "vitest";
import { directionOf } from "../../../../src/tools/anomalies/detecting/slope.ts";
import { runs } from "../../../support/runs.ts";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** Sums the squared distances from the mean. */
const spread = (values: readonly number[]) =>
  sum(values.map((value) => (value - sum(values) / values.length) ** 2));

/** Fits a line by the normal equations, and a step by trying each place. */
function model(values: readonly number[]) {
  const n = values.length;
  const x = values.map((_, index) => index);
  const square = n * sum(x.map((each) => each ** 2)) - sum(x) ** 2;
  const slope = (n * sum(values.map((value, index) => index * value)) - sum(x) * sum(values)) / square;
  const start = (sum(values) - slope * sum(x)) / n;
  const line = sum(values.map((value, index) => (value - start - slope * index) ** 2));
  const error = Math.sqrt(line / (n - 2) / (square / n));
  const splits = x.slice(1).map((at) => spread(values.slice(0, at)) + spread(values.slice(at)));
  const step = Math.min(...splits) * n ** (1 / n);
  const isSure = Math.abs(slope) > 3 * error;
  const isClose = (one: number, other: number) => Math.abs(one - other) < 1e-6 * (1 + Math.abs(one));
  return {
    direction: isSure && step >= line ? Math.sign(slope) : 0,
    isTie: isClose(Math.abs(slope), 3 * error) || isClose(step, line),
  };
}

it("directionOf() follows the slope if it is significant and no step fits better than the line", () => {
  const series = fc
    .record({
      jitter: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 24 }),
      slope: fc.constantFrom(0, 0, 1, 2, -1, -3),
      step: fc.integer({ min: -12, max: 12 }),
      at: fc.nat(24),
      quiet: fc.boolean(),
    })
    .map(({ jitter, slope, step, at, quiet }) =>
      jitter.map((each, index) => (quiet ? 0 : each) + slope * index + (index >= at ? step : 0)),
    );
  fc.assert(
    fc.property(series, (values) => {
      const { direction, isTie } = model(values);
      fc.pre(!isTie);
      expect(directionOf(Float64Array.from(values))).toBe(direction);
    }),
    { numRuns: runs(300) },
  );
});

it.each([
  [[1, 2, 3, 4, 5, 6, 7, 8], 1],
  [[8, 7, 6, 5, 4, 3, 2, 1], -1],
  [[5, 5, 5, 5, 5, 5, 5, 5], 0],
  [[0, 0, 0, 0, 9, 9, 9, 9], 0],
  [[9, 9, 0, 0, 0, 0, 0, 0], 0],
  [[0, 5, 0, 5, 0, 5, 0, 5], 0],
  // About 2.5 standard errors of slope.
  [[1, 3, 7, 6, 4, 10], 0],
  [[3, 1, 7, 3, 7, 9], 0],
  [[1, 4, 7, 3, 6, 8], 0],
])("directionOf(%j) is %d", (values, direction) =>
  expect(directionOf(Float64Array.from(values))).toBe(direction),
);

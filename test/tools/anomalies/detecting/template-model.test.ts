import fc from "fast-check";
import { expect, it } from "vitest";
import { lengthOf, memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createTemplateDetector } from "../../../../src/tools/anomalies/detecting/template-detector.ts";
import { runs } from "../../../support/runs.ts";
import { noise } from "../series.ts";

type Width = 1 | 2;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Models the strangeness of each point by scanning everything known, as the source's header describes. */
function model(points: readonly number[][], tolerance: number): number[] {
  const known: { features: number[]; metAt: number }[] = [];
  let rate = 0.1;
  return points.map((point, now) => {
    const scales = point.map((_, feature) => {
      const sofar = points.slice(0, now + 1).map((each) => each[feature] as number);
      const range = sofar.reduce((a, b) => Math.max(a, b)) - sofar.reduce((a, b) => Math.min(a, b));
      return range === 0 ? 0 : 1 / range / point.length;
    });
    const off = known.map(({ features }) =>
      sum(features.map((each, at) => Math.abs(each - (point[at] as number)) * (scales[at] as number))),
    );
    const distance = Math.min(...off);
    const nearest = known[off.indexOf(distance)];
    const surprise = -Math.log10(rate);
    if (now > 0) rate += distance > tolerance ? 0.005 * (1 - rate) : -0.005 * rate;
    rate = Math.max(rate, 0.0001);
    if (!nearest || distance > tolerance) {
      const longestAgo = known.toSorted((a, b) => a.metAt - b.metAt)[0];
      if (known.length < 100) known.push({ features: point, metAt: now });
      else Object.assign(longestAgo as object, { features: point, metAt: now });
      return now < 2 ? 0 : surprise * Math.min(5, distance / tolerance);
    }
    const absence = now - nearest.metAt;
    nearest.metAt = now;
    nearest.features = nearest.features.map((each, at) => 0.95 * each + 0.05 * (point[at] as number));
    return surprise * Math.min(1, Math.max(0, absence / 4000 - 1));
  });
}

function judged(points: readonly number[][], width: Width, tolerance: number): number[] {
  const build = (memory: Parameters<typeof createTemplateDetector>[0]) =>
    createTemplateDetector(memory, width, tolerance);
  const numbers = new Float64Array(lengthOf(build));
  const half = Math.floor(points.length / 2);
  // A session ends in the middle.
  return [points.slice(0, half), points.slice(half)].flatMap((session) => {
    const judge = build(memoryOver(numbers));
    return session.map((point) => judge(Float64Array.from(point)));
  });
}

function expectAlike(found: readonly number[], expected: readonly number[]): void {
  const far = found.flatMap((each, at) => (Math.abs(each - (expected[at] as number)) > 1e-6 ? [at] : []));
  expect([found.length, far]).toEqual([expected.length, []]);
}

it("the template detector scores points by distance and rarity as its model does", () => {
  const series = fc.record({
    width: fc.constantFrom<Width>(1, 2),
    tolerance: fc.constantFrom(0.001, 0.01, 0.05, 0.2),
    seed: fc.integer({ min: 1, max: 10_000 }),
    length: fc.integer({ min: 0, max: 300 }),
    step: fc.constantFrom(0, 0.5, 50),
  });
  fc.assert(
    fc.property(series, ({ width, tolerance, seed, length, step }) => {
      const random = noise(width * length, seed);
      const points = Array.from({ length }, (_, at) =>
        random
          .slice(at * width, (at + 1) * width)
          .map((each, feature) => (feature + 1) * each + step * (at % 3)),
      );
      expectAlike(judged(points, width, tolerance), model(points, tolerance));
    }),
    { numRuns: runs(25) },
  );
});

it.each<[string, number[]]>([
  ["where nothing ever changes", Array(50).fill(7)],
  [
    "where the range is beneath all sense",
    [0, Number.MIN_VALUE, 0, 2 * Number.MIN_VALUE, Number.MIN_VALUE, 0],
  ],
])("no point is strange %s", (_, values) => {
  const points = values.map((each) => [each]);
  expect(judged(points, 1, 0.05)).toEqual(values.map(() => 0));
});

it("a rare point is at most as strange as one new point in ten thousand", () => {
  const strangenessAfter = (quiet: number) => {
    const detector = createTemplateDetector(memoryOver(new Float64Array(1000)), 1, 0.05);
    let last = 0;
    for (const value of [0, 100, ...Array<number>(quiet).fill(0), 50])
      last = detector(Float64Array.of(value));
    return last;
  };
  // Five times the tolerance, and a rate of one in 10,000: 5 × 4.
  expect(strangenessAfter(2000)).toBe(20);
  expect(strangenessAfter(1000)).toBeLessThan(20);
});

it.each([
  [4000, 0],
  [4001, 1 / 4000],
  [6000, 0.5],
  [8000, 1],
  [9000, 1],
])("a point that returns after %d points is new by a share of %d", (absence, share) => {
  const detector = createTemplateDetector(memoryOver(new Float64Array(1000)), 1, 0.05);
  detector(Float64Array.of(0));
  for (let count = 1; count < absence; count++) detector(Float64Array.of(100));
  // The recent rate of new points is one in 10,000.
  expect(detector(Float64Array.of(0))).toBeCloseTo(4 * share, 9);
});

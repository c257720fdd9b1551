import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createRecent } from "../../../../src/tools/anomalies/detecting/recent.ts";
import {
  createRunningExtremes,
  createRunningMean,
} from "../../../../src/tools/anomalies/detecting/running.ts";

const LENGTH = 7;
const HELD = 10;

it("running means and extremes equal those computed from scratch, also across sessions", () => {
  const session = fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(session, { maxLength: 4 }), (sessions) => {
      const numbers = new Float64Array(100);
      const seen: number[] = [];
      for (const values of sessions) {
        const memory = memoryOver(numbers);
        const recent = createRecent(memory, HELD);
        const mean = createRunningMean(memory, recent, LENGTH);
        const extremes = createRunningExtremes(memory, recent, LENGTH);
        for (const value of values) {
          mean.add(value);
          extremes.add(value);
          recent.push(value);
          seen.push(value);
          const last = seen.slice(-LENGTH);
          const sum = last.reduce((total, each) => total + each, 0);
          expect(mean.of(0)).toBeCloseTo(sum / last.length, 9);
          expect(extremes.largest(0)).toBe(Math.max(...last));
          expect(extremes.smallest(0)).toBe(Math.min(...last));
          expect([...recent.values()]).toEqual(seen.slice(-HELD));
        }
      }
    }),
  );
});

it("the running mean is exact again once a huge value is out of its window", () => {
  const memory = memoryOver(new Float64Array(100));
  const recent = createRecent(memory, HELD);
  const mean = createRunningMean(memory, recent, LENGTH);
  for (const value of [1e100, ...Array.from({ length: 20 }, () => 3)]) {
    mean.add(value);
    recent.push(value);
  }
  expect(mean.of(0)).toBe(3);
});

import { expect, it } from "vitest";
import { memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createSmallestStep } from "../../../../src/tools/anomalies/detecting/smallest-step.ts";

function stepOf(values: readonly number[]): number {
  const smallest = createSmallestStep(memoryOver(new Float64Array(2)));
  for (const [index, value] of values.slice(1).entries()) smallest.learn(value, values[index] as number);
  return smallest.get();
}

it.each([
  ["nothing of no values", [], 0],
  ["nothing of nine changes", [0, 2, 4, 6, 8, 10, 12, 14, 16, 18], 0],
  ["the step of ten", [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20], 2],
  ["the smallest, up or down", [0, 9, 4, 1, 8, 4, 9, 1, 6, 0, 9], 3],
  ["the first, where all others are larger", [0, 1, 4, 8, 12, 16, 20, 24, 28, 32, 36], 1],
  ["what stays the same is no change", [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6], 0],
  ["nor is it a step", [0, 2, 2, 4, 6, 8, 8, 10, 12, 14, 16, 18, 20], 2],
])("the smallest step: %s", (_, values, step) => expect(stepOf(values)).toBe(step));

import { describe, expect, it } from "vitest";
import { createFlatGeneration } from "../../../../src/tools/scheduler/solving/flat-generation.ts";
import { createForwardBackward } from "../../../../src/tools/scheduler/solving/forward-backward.ts";
import type { Constraints } from "../../../../src/tools/scheduler/solving/instance.ts";
import { instanceOf, type Task } from "./instances.ts";

it.each([
  [{ duration: 1, release: 131_071 }, true],
  [{ duration: 1, release: 131_072 }, false],
  [{ duration: 32 }, true],
  [{ duration: 33 }, false],
])("createFlatGeneration() supports the task %j: %s", (task, isPlaced) => {
  expect(createFlatGeneration(instanceOf([task])) !== undefined).toBe(isPlaced);
});

describe("the slack of a schedule", () => {
  const slackOf = (tasks: Task[], ends: number[], constraints?: Partial<Constraints>) => [
    ...createForwardBackward(instanceOf(tasks, constraints)).slack(Float64Array.from(ends)),
  ];

  it("is how far a task can move along with its successors", () => {
    const tasks = [{ duration: 3 }, { duration: 2, after: [0] }, { duration: 9 }];
    expect(slackOf(tasks, [3, 5, 9])).toEqual([4, 4, 0]);
    expect(slackOf(tasks, [3, 5, 9, 0, 0, 0], {})).toEqual([4, 4, 0]);
  });

  it("keeps positive and negative lags", () => {
    const tasks = [{ duration: 6 }, { duration: 2, after: [0] }, { duration: 12 }];
    // The second task may start five before the end of the first.
    expect(slackOf(tasks, [6, 3, 12, 0, 0, 0], { lag: Float64Array.of(-5) })).toEqual([6, 9, 0]);
    expect(slackOf(tasks, [6, 11, 12, 0, 0, 0], { lag: Float64Array.of(3) })).toEqual([1, 1, 0]);
  });
});

import { describe, expect, it } from "vitest";
import type { Budget } from "../../../../src/tools/scheduler/solving/budget.ts";
import { firstSchedules } from "../../../../src/tools/scheduler/solving/first-schedules.ts";
import { createFlatGeneration } from "../../../../src/tools/scheduler/solving/flat-generation.ts";
import type { ForwardBackward } from "../../../../src/tools/scheduler/solving/forward-backward.ts";
import { createGenerator } from "../../../../src/tools/scheduler/solving/generator.ts";
import {
  demandOf,
  type Instance,
  mirrored,
  tails,
} from "../../../../src/tools/scheduler/solving/instance.ts";
import {
  createSerialGeneration,
  type Generation,
} from "../../../../src/tools/scheduler/solving/serial-generation.ts";
import { preferUrgent } from "../../../../src/tools/scheduler/solving/solve.ts";
import { inUnits } from "../../../../src/tools/scheduler/solving/units.ts";
import { instanceOf } from "./instances.ts";

/** Returns a budget that grants so much and records the requests. */
function granting(most: number): Budget & { asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    spent: 0,
    spend(weight = 1) {
      if (asked.length >= most) return false;
      asked.push(weight);
      return true;
    },
  };
}

describe("firstSchedules()", () => {
  /** Generates plans of these lengths in turn. Each justification shortens one by `gain`, down to `least`. */
  function first(instance: Instance, { lengths = [50], gain = 0, least = 0, bound = 0, most = 99 } = {}) {
    const keys: number[][] = [];
    const justified: number[] = [];
    const method: ForwardBackward = {
      generate(given, ends) {
        keys.push([...given]);
        ends.fill(lengths[(keys.length - 1) % lengths.length] as number);
      },
      justify(ends, into) {
        justified.push(ends[0] as number);
        into.fill(Math.max(least, (ends[0] as number) - gain));
      },
      slack: () => new Float64Array(0),
    };
    const budget = granting(most);
    const { ends, cost } = firstSchedules(instance, method, bound, budget);
    return { cost, end: ends[0], keys, justified, asked: budget.asked };
  }
  // With constraints, no parallel schedule is generated as well.
  const one = instanceOf([{ duration: 50 }], {});

  it("justifies a schedule while that makes it shorter, five times at most", () => {
    expect(first(one, { gain: 10, least: 30 })).toMatchObject({ cost: 30, end: 30, justified: [50, 40, 30] });
    expect(first(one, { gain: 1 })).toMatchObject({ cost: 45, justified: [50, 49, 48, 47, 46] });
    expect(first(one, { gain: 0 })).toMatchObject({ cost: 50, justified: [50] });
    expect(first(one, { gain: -3 })).toMatchObject({ cost: 50, end: 50, justified: [50] });
  });

  it("spends one for each schedule and two for each justification", () => {
    expect(first(one, { gain: 1 }).asked).toEqual(Array(11).fill(1));
    expect(first(one, { gain: 1, most: 4 })).toMatchObject({ justified: [50], cost: 49 });
    expect(first(one, { gain: 1, most: 5 })).toMatchObject({ justified: [50, 49], cost: 48 });
    expect(first(one, { gain: 1, most: 0 })).toMatchObject({ justified: [], cost: 50 });
  });

  it("spends more for a parallel schedule of many tasks, in whole numbers", () => {
    const weights = (size: number) =>
      first(instanceOf(Array.from({ length: size }, () => ({ duration: 50 }))), { most: 4 }).asked;
    expect(weights(10)).toEqual([1, 1, 1, 1]);
    expect(weights(2500)).toEqual([1, 1, 1, 3]);
  });

  it("orders tasks by the longest chain behind them, and by latest starts if there are deadlines", () => {
    const chain = [
      { duration: 3 },
      { duration: 5 },
      { duration: 2, after: [0] },
      { duration: 4, after: [2] },
    ];
    expect(first(instanceOf(chain, {})).keys).toEqual([[0, 4, 3, 5]]);
    const urgent = instanceOf(
      chain.map((task, at) => ({
        ...task,
        ...(at === 1 && { deadline: 6 }),
        ...(at === 3 && { deadline: 12.5 }),
      })),
      {},
    );
    // Latest starts: 12.5 less 4, 2 and 3, and 6 less 5.
    expect(first(urgent, { lengths: [50, 40] })).toMatchObject({
      keys: [
        [3, 1, 6, 8],
        [0, 4, 3, 5],
      ],
      cost: 40 + 1000 * (34 + 27.5),
    });
    expect(
      first(
        instanceOf(
          [
            { duration: 3, deadline: 1 },
            { duration: 4, release: 5 },
          ],
          {},
        ),
      ).keys[0],
    ).toEqual([0, 10]);
  });

  it("ends with a schedule that reaches the bound", () => {
    const urgent = instanceOf([{ duration: 5, deadline: 99 }], {});
    expect(first(urgent, { lengths: [50, 40], bound: 50 }).keys).toHaveLength(1);
    expect(first(urgent, { lengths: [50, 40], bound: 49 })).toMatchObject({ cost: 40, end: 40 });
    expect(first(urgent, { lengths: [40, 50], bound: 39 })).toMatchObject({ cost: 40, end: 40 });
  });
});

describe("preferUrgent()", () => {
  const instance = instanceOf([{ duration: 10 }, { duration: 10 }, { duration: 10 }]);
  function preferred(priorities: number[], made: number[][]) {
    const keys: number[][] = [];
    const method = {
      generate(given: Float64Array, ends: Float64Array) {
        keys.push([...given]);
        ends.set(made[keys.length - 1] ?? [30, 20, 10]);
      },
    };
    const solution = { ends: Float64Array.of(30, 20, 10), cost: 30 };
    const found = preferUrgent(instance, method as ForwardBackward, solution, priorities);
    return { keys, ends: [...found.ends], cost: found.cost, isSame: found === solution };
  }

  it("delays less urgent tasks by a share of the plan that halves each time", () => {
    const { keys, isSame } = preferred([5, 0, 2], []);
    expect(isSame).toBe(true);
    // Starts at 20, 10 and 0. The least urgent task is delayed by a whole plan, then a half, a quarter …
    expect(keys).toEqual([
      [20, 40, 15],
      [20, 25, 8],
      [20, 18, 4],
      [20, 13, 2],
      [20, 11, 0],
      [20, 10, 0],
    ]);
  });

  it("accepts a plan only if it costs no more and urgent tasks end earlier", () => {
    expect(preferred([5, 0, 0], [[10, 20, 30]])).toMatchObject({ ends: [10, 20, 30], cost: 30 });
    expect(
      preferred(
        [5, 0, 0],
        [
          [10, 20, 31],
          [20, 10, 30],
        ],
      ),
    ).toMatchObject({ ends: [20, 10, 30] });
    expect(preferred([5, 0, 0], [[30, 10, 20]])).toMatchObject({ isSame: true });
  });

  it("generates nothing if all priorities are equal", () => {
    expect(preferred([7, 7, 7], [[10, 20, 30]])).toMatchObject({ isSame: true, keys: [] });
  });
});

describe("a problem with lags", () => {
  const tasks = [{ duration: 7 }, { duration: 5, after: [0] }, { duration: 3, after: [0, 1] }];
  const lags = { lag: Float64Array.of(2, -1, 4), fromStart: Uint8Array.of(0, 1, 0) };

  it("has lags from a start turned into lags from an end by mirrored()", () => {
    const turned = mirrored(instanceOf(tasks, lags));
    // Mirrored, 1 depends on 0 by 4, and 2 on 1 by 2 and on 0 by -1 less the duration of 0's task, 7.
    expect([...turned.duration]).toEqual([3, 5, 7]);
    expect([...turned.predecessors.offsets]).toEqual([0, 0, 1, 3]);
    expect([...turned.predecessors.targets]).toEqual([0, 1, 0]);
    expect([...(turned.constraints?.lag ?? [])]).toEqual([4, 2, -8]);
    expect([...(turned.constraints?.fromStart ?? [])]).toEqual([0, 0, 0]);
    expect(turned.constraints?.isMirrored).toBe(true);
    expect(mirrored(turned).constraints?.isMirrored).toBe(false);
  });

  it("has tails() of the longest chain behind each task, without lags from a start", () => {
    expect([...tails(instanceOf(tasks, lags))]).toEqual([14, 7, 0]);
    expect([...tails(instanceOf(tasks))]).toEqual([8, 3, 0]);
  });
});

describe("inUnits()", () => {
  it("uses the longest unit in which durations and releases are whole", () => {
    const { instance, unit } = inUnits(
      instanceOf([{ duration: 12, deadline: 10 }, { duration: 0 }, { duration: 20, release: 8 }]),
    );
    expect(unit).toBe(4);
    expect([[...instance.duration], [...instance.release], instance.deadline[0]]).toEqual([
      [3, 0, 5],
      [0, 0, 2],
      2.5,
    ]);
  });

  it("uses milliseconds if there is nothing to divide or there are constraints", () => {
    expect(inUnits(instanceOf([{ duration: 0 }])).unit).toBe(1);
    const constrained = instanceOf([{ duration: 12 }], {});
    expect(inUnits(constrained)).toEqual({ instance: constrained, unit: 1 });
  });
});

it("a schedule does not depend on those that were generated before it", () => {
  const random = createGenerator(7);
  const tasks = Array.from({ length: 30 }, (_, task) => ({
    duration: Math.floor(random() * 9),
    after: [0, 1].map(() => Math.floor(random() * 40)).filter((other) => other < task),
  }));
  const takes = tasks.map(() => Math.floor(random() * 3));
  const instance: Instance = {
    ...instanceOf(tasks),
    capacity: Int32Array.of(3),
    demand: demandOf(takes.map((units) => (units > 0 ? [[0, units] as const] : []))),
  };
  const orders = Array.from({ length: 12 }, () => {
    const place = tasks.map(() => random());
    for (const [task, { after }] of tasks.entries())
      for (const other of after)
        place[task] = Math.max(place[task] as number, (place[other] as number) + 1e-9);
    return Int32Array.from(tasks.keys()).sort(
      (one, other) => (place[one] as number) - (place[other] as number),
    );
  });
  for (const create of [createSerialGeneration, createFlatGeneration]) {
    const again = create(instance) as Generation;
    for (const order of orders) {
      const [ends, anew] = [new Float64Array(30), new Float64Array(30)];
      again(order, ends);
      (create(instance) as Generation)(order, anew);
      expect([...ends]).toEqual([...anew]);
    }
  }
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countedBudget } from "../../../src/tools/scheduler/solving/budget.ts";
import { firstSchedules } from "../../../src/tools/scheduler/solving/first-schedules.ts";
import { createFlatGeneration } from "../../../src/tools/scheduler/solving/flat-generation.ts";
import { costOf, createForwardBackward } from "../../../src/tools/scheduler/solving/forward-backward.ts";
import { createHeap } from "../../../src/tools/scheduler/solving/heap.ts";
import {
  adjacency,
  demandOf,
  type Instance,
  mirrored,
} from "../../../src/tools/scheduler/solving/instance.ts";
import { generateParallel } from "../../../src/tools/scheduler/solving/parallel-generation.ts";
import { createSorting } from "../../../src/tools/scheduler/solving/sequence.ts";
import {
  createSerialGeneration,
  type Generation,
} from "../../../src/tools/scheduler/solving/serial-generation.ts";

interface Task {
  duration: number;
  release: number;
  deadline: number;
  /** Units taken of each resource. */
  takes: number[];
  waitsFor: number[];
  rank: number;
}

const CAPACITY = [4, 2];

const projects: fc.Arbitrary<Task[]> = fc
  .array(
    fc.record({
      duration: fc.integer({ min: 0, max: 9 }),
      release: fc.constantFrom(0, 0, 0, 5, 12),
      deadline: fc.constantFrom(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 10, 20),
      takes: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 2 })),
      waitsFor: fc.uniqueArray(fc.nat(13), { maxLength: 2 }),
      rank: fc.nat(6),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((tasks) =>
    tasks.map((task, index) => ({ ...task, waitsFor: task.waitsFor.filter((other) => other < index) })),
  );

function instanceOf(tasks: readonly Task[]): Instance {
  const followers = tasks.map((_, task) =>
    tasks.flatMap(({ waitsFor }, after) => (waitsFor.includes(task) ? [after] : [])),
  );
  return {
    size: tasks.length,
    duration: Float64Array.from(tasks, ({ duration }) => duration),
    release: Float64Array.from(tasks, ({ release }) => release),
    deadline: Float64Array.from(tasks, ({ deadline }) => deadline),
    predecessors: adjacency(tasks.map(({ waitsFor }) => waitsFor)),
    successors: adjacency(followers),
    capacity: Int32Array.from(CAPACITY),
    demand: demandOf(
      tasks.map(({ takes }) =>
        takes.flatMap((units, resource) => (units > 0 ? [[resource, units] as const] : [])),
      ),
    ),
  };
}

type Placed = Map<number, { start: number; end: number }>;

/** Whether a task fits by definition: at no instant does it take more than the placed tasks leave. */
function hasRoom(tasks: readonly Task[], placed: Placed, task: number, start: number): boolean {
  const { duration, takes } = tasks[task] as Task;
  const instants = [start, ...[...placed.values()].map((each) => each.start)];
  return instants
    .filter((at) => at >= start && at < start + duration)
    .every((at) =>
      takes.every((units, resource) => {
        const others = [...placed].filter(([, each]) => each.start <= at && at < each.end);
        const used = others.reduce((sum, [other]) => sum + (tasks[other] as Task).takes[resource]!, 0);
        return units === 0 || used + units <= CAPACITY[resource]!;
      }),
    );
}

function readyAt(tasks: readonly Task[], placed: Placed, task: number): number {
  const { release, waitsFor } = tasks[task] as Task;
  return Math.max(release, ...waitsFor.map((other) => placed.get(other)?.end ?? Number.POSITIVE_INFINITY));
}

const endsOf = (placed: Placed, size: number) =>
  Array.from({ length: size }, (_, task) => placed.get(task)?.end);

/** Places tasks in order, each at the first instant with room: when it is ready, or at the end of another. */
function serially(tasks: readonly Task[], order: readonly number[]) {
  const placed: Placed = new Map();
  for (const task of order) {
    const ready = readyAt(tasks, placed, task);
    const starts = [ready, ...[...placed.values()].map(({ end }) => end).filter((end) => end > ready)];
    const start = starts.sort((a, b) => a - b).find((at) => hasRoom(tasks, placed, task, at)) as number;
    placed.set(task, { start, end: start + (tasks[task] as Task).duration });
  }
  return endsOf(placed, tasks.length);
}

/** Starts every task that may start, by rank and number, millisecond by millisecond. */
function inParallel(tasks: readonly Task[]) {
  const placed: Placed = new Map();
  for (let now = 0; placed.size < tasks.length; now++) {
    for (let started = true; started; ) {
      started = false;
      const eligible = tasks.map((_, task) => task).filter((task) => !placed.has(task));
      eligible.sort((a, b) => tasks[a]!.rank - tasks[b]!.rank || a - b);
      for (const task of eligible) {
        if (readyAt(tasks, placed, task) > now || !hasRoom(tasks, placed, task, now)) continue;
        placed.set(task, { start: now, end: now + (tasks[task] as Task).duration });
        started = true;
      }
    }
  }
  return endsOf(placed, tasks.length);
}

describe("a schedule", () => {
  it("that is generated serially has each task in turn at its earliest feasible start", () => {
    fc.assert(
      fc.property(projects, (tasks) => {
        const order = tasks.map((_, task) => task);
        const ends = new Float64Array(tasks.length);
        for (const generate of [
          createSerialGeneration(instanceOf(tasks)),
          createFlatGeneration(instanceOf(tasks)) as Generation,
        ]) {
          // Twice, since the generator reuses its arrays.
          for (let round = 0; round < 2; round++) {
            generate(Int32Array.from(order), ends);
            expect([...ends]).toEqual(serially(tasks, order));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is the same from flat and serial generation with large or many resources", () => {
    const capacity = Int32Array.of(1_000_000_000, 3, 127, 128, 1, 65_535);
    const task = fc.record({
      duration: fc.integer({ min: 0, max: 9 }),
      release: fc.constantFrom(0, 0, 4),
      takes: fc.tuple(
        ...Array.from(capacity, (units) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max: units }))),
      ),
    });
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 14 }), (tasks) => {
        const all = tasks.map((each) => ({
          ...each,
          deadline: Number.POSITIVE_INFINITY,
          waitsFor: [],
          rank: 0,
        }));
        const instance = { ...instanceOf(all), capacity };
        const order = Int32Array.from(tasks, (_, at) => at);
        const [instants, steps] = [0, 1].map(() => new Float64Array(tasks.length)) as [
          Float64Array,
          Float64Array,
        ];
        (createFlatGeneration(instance) as Generation)(order, instants);
        createSerialGeneration(instance)(order, steps);
        expect([...instants]).toEqual([...steps]);
      }),
    );
  });

  it("is not generated by createFlatGeneration() if durations are long", () => {
    const long = { release: 0, deadline: 0, takes: [1, 1], waitsFor: [], rank: 0, duration: 1000 };
    expect(createFlatGeneration(instanceOf([long, long]))).toBeUndefined();
  });

  it("that is generated in parallel starts each task as soon as it can run", () => {
    fc.assert(
      fc.property(
        projects.map((tasks) => tasks.map((task) => ({ ...task, duration: task.duration + 1 }))),
        (tasks) => {
          const ends = new Float64Array(tasks.length);
          generateParallel(
            instanceOf(tasks),
            Float64Array.from(tasks, ({ rank }) => rank),
            ends,
          );
          expect([...ends]).toEqual(inParallel(tasks));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("that is the first costs no more than serial or parallel generation by longest chain", () => {
    fc.assert(
      fc.property(projects, (tasks) => {
        const instance = instanceOf(tasks);
        const forwardBackward = createForwardBackward(instance);
        const { ends, cost } = firstSchedules(instance, forwardBackward, 0, countedBudget(1000));
        expect(costOf(instance, ends)).toBe(cost);
        const longest = (task: number): number =>
          tasks[task]!.duration +
          Math.max(0, ...tasks.map(({ waitsFor }, after) => (waitsFor.includes(task) ? longest(after) : 0)));
        const chains = tasks.map((_, task) => longest(task));
        const ranks = chains.map((chain) => Math.max(...chains) - chain);
        const other = new Float64Array(tasks.length);
        for (const generate of [
          () => forwardBackward.generate(Float64Array.from(ranks), other),
          () => generateParallel(instance, Float64Array.from(ranks), other),
        ]) {
          generate();
          expect(cost).toBeLessThanOrEqual(costOf(instance, other));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("that is the first needs no budget, and saves budget if it reaches the bound", () => {
    const tasks = [3, 5].map((duration) => ({
      ...{ duration, release: 0, deadline: Number.POSITIVE_INFINITY, takes: [1, 0], waitsFor: [], rank: 0 },
    }));
    const instance = instanceOf(tasks);
    const forwardBackward = createForwardBackward(instance);
    expect([...firstSchedules(instance, forwardBackward, 0, countedBudget(0)).ends]).toEqual([3, 5]);
    const budget = countedBudget(1000);
    firstSchedules(instance, forwardBackward, 5, budget);
    const whole = countedBudget(1000);
    firstSchedules(instance, forwardBackward, 0, whole);
    expect(budget.spent).toBeLessThan(whole.spent);
  });

  it("costs its length plus 1,000 times the lateness of its tasks", () => {
    const ends = Float64Array.of(10, 25, 30);
    const deadline = Float64Array.of(10, 20, Number.POSITIVE_INFINITY);
    expect(costOf({ deadline }, ends)).toBe(30 + 5000);
    expect(costOf({ deadline }, ends, 50)).toBe(50 + 5000);
  });
});

describe("mirrored()", () => {
  it("restores an instance when applied twice, but without releases and deadlines", () => {
    fc.assert(
      fc.property(projects, (tasks) => {
        const timeless = tasks.map((task) => ({ ...task, release: 0, deadline: Number.POSITIVE_INFINITY }));
        const { demand, ...again } = mirrored(mirrored(instanceOf(tasks)));
        const { demand: before, ...instance } = instanceOf(timeless);
        const sorted = ({ offsets, targets }: Instance["predecessors"]) =>
          Array.from(offsets, (from, task) => [...targets.subarray(from, offsets[task + 1])].sort());
        const plain = (each: typeof again) => ({
          ...each,
          predecessors: sorted(each.predecessors),
          successors: sorted(each.successors),
        });
        expect(plain(again)).toEqual(plain(instance));
        expect([demand.offsets, demand.resources, demand.units]).toEqual([
          before.offsets,
          before.resources,
          before.units,
        ]);
      }),
    );
  });
});

it("a heap pops the least key first, ties by number", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(9))), fc.nat(20), (entries, taken) => {
      const heap = createHeap();
      const compare = (a: readonly number[], b: readonly number[]) => a[1]! - b[1]! || a[0]! - b[0]!;
      let model: (readonly [number, number])[] = [];
      for (const [index, [item, key]] of entries.entries()) {
        heap.push(item, key);
        model.push([item, key]);
        if (index % 3 !== taken % 3) continue;
        model = model.sort(compare);
        expect(heap.leastKey()).toBe(model[0]?.[1]);
        expect(heap.pop()).toBe(model.shift()?.[0]);
      }
      for (const [item] of model.sort(compare)) expect(heap.pop()).toBe(item);
      expect(heap.leastKey()).toBe(Number.POSITIVE_INFINITY);
    }),
  );
});

it("createSorting() sorts tasks by small and large keys, ties by number", () => {
  const keys = [fc.nat(5), fc.nat(99), fc.oneof(fc.nat(5), fc.maxSafeNat(), fc.nat(2 ** 31))];
  const lists = keys.map((key) => fc.array(key, { minLength: 1, maxLength: 40 }));
  fc.assert(
    fc.property(fc.oneof(...lists), (keys) => {
      const order = new Int32Array(keys.length);
      createSorting(keys.length)(Float64Array.from(keys), order);
      const expected = keys.map((_, task) => task).sort((a, b) => keys[a]! - keys[b]! || a - b);
      expect([...order]).toEqual(expected);
    }),
  );
});

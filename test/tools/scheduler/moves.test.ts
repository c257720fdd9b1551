import fc from "fast-check";
import { expect, it } from "vitest";
import {
  createDisjunctiveGraph,
  type DisjunctiveGraph,
} from "../../../src/tools/scheduler/job-shop/disjunctive-graph.ts";
import { machinesOf } from "../../../src/tools/scheduler/job-shop/machines.ts";
import { createNeighbourhood } from "../../../src/tools/scheduler/job-shop/neighbourhood.ts";
import { createGenerator } from "../../../src/tools/scheduler/solving/generator.ts";
import { adjacency, demandOf, type Instance } from "../../../src/tools/scheduler/solving/instance.ts";

const MACHINES = 3;
const JOBS = 4;

/** Job shops whose jobs visit every machine once, each in its own order. */
const shops = fc
  .array(
    fc.tuple(
      fc.shuffledSubarray([0, 1, 2], { minLength: MACHINES }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: MACHINES, maxLength: MACHINES }),
    ),
    { minLength: JOBS, maxLength: JOBS },
  )
  .map((jobs): Instance => {
    const steps = jobs.flatMap(([machines, durations], job) =>
      machines.map((machine, step) => ({ job, step, machine, duration: durations[step] as number })),
    );
    return {
      size: steps.length,
      duration: Float64Array.from(steps, ({ duration }) => duration),
      release: new Float64Array(steps.length),
      deadline: new Float64Array(steps.length).fill(Number.POSITIVE_INFINITY),
      predecessors: adjacency(steps.map(({ step }, task) => (step > 0 ? [task - 1] : []))),
      successors: adjacency(steps.map(({ step }, task) => (step < MACHINES - 1 ? [task + 1] : []))),
      capacity: new Int32Array(MACHINES).fill(1),
      demand: demandOf(steps.map(({ machine }) => [[machine, 1] as const])),
    };
  });

/** Returns the length of the longest path through a task, with its own duration. */
function wayThrough({ forward, backward }: DisjunctiveGraph, { duration }: Instance, task: number): number {
  return (forward.end[task] as number) + (backward.end[task] as number) - (duration[task] as number);
}

function planOf(instance: Instance) {
  const graph = createDisjunctiveGraph(instance, machinesOf(instance)!);
  graph.load(Float64Array.from({ length: instance.size }, (_, task) => task % MACHINES));
  return graph;
}

function around(instance: Instance, graph: DisjunctiveGraph, random: () => number) {
  return createNeighbourhood(instance, machinesOf(instance)!, graph, random);
}

function startsOf({ forward }: DisjunctiveGraph, { duration }: Instance) {
  return duration.map((length, task) => (forward.end[task] as number) - length);
}

it("a critical path fills the whole plan without gaps, along jobs and machines", () => {
  fc.assert(
    fc.property(shops, fc.nat(99), (instance, seed) => {
      const graph = planOf(instance);
      const moves = around(instance, graph, createGenerator(seed));
      moves.find();
      const path = [...moves.criticalPath()];
      const starts = startsOf(graph, instance);
      let now = 0;
      for (const task of path) {
        expect(starts[task]).toBe(now);
        now += instance.duration[task] as number;
      }
      expect(now).toBe(graph.makespan);
      for (const [at, task] of path.entries()) {
        if (at === 0) continue;
        const previous = path[at - 1] as number;
        const isJob = task % MACHINES > 0 && previous === task - 1;
        expect(isJob || graph.forward.previous[task] === previous).toBe(true);
      }
    }),
  );
});

it("every offered move keeps the plan acyclic, and estimates of neighbour swaps are exact", () => {
  let swaps = 0;
  fc.assert(
    fc.property(shops, fc.nat(99), (instance, seed) => {
      const before = planOf(instance);
      const moves = around(instance, before, createGenerator(seed));
      const count = moves.find();
      for (let move = 0; move < count; move++) {
        const [task, other] = [moves.task[move] as number, moves.other[move] as number];
        const passedCount = moves.pass(move);
        const between = [...moves.passed.slice(0, passedCount)];
        expect(between.at(-1)).toBe(other);
        // A move needs two different tasks.
        expect(task).not.toBe(other);
        const guess = moves.estimate(move, passedCount);
        const graph = planOf(instance);
        // Throws if the move closes a cycle.
        if (moves.behind[move] === 1) graph.moveBehind(task, other);
        else graph.moveBefore(task, other);
        expect(graph[moves.behind[move] === 1 ? "forward" : "backward"].previous[task]).toBe(other);
        const ways = [task, ...between].map((each) => wayThrough(graph, instance, each));
        if (between.length === 1) {
          swaps++;
          expect(guess).toBe(Math.max(...ways));
        } else {
          expect(guess).toBeGreaterThan(0);
          expect(guess).toBeLessThanOrEqual(Math.max(...ways));
        }
        expect(graph.makespan).toBeGreaterThanOrEqual(Math.max(...ways));
      }
      expect(startsOf(before, instance)).toEqual(startsOf(planOf(instance), instance));
    }),
    { numRuns: 200 },
  );
  expect(swaps).toBeGreaterThan(100);
});

it("a graph after moves equals one computed anew, and the mean of two plans is acyclic", () => {
  let moved = 0;
  fc.assert(
    fc.property(shops, fc.nat(99), fc.double({ min: 0, max: 1, noNaN: true }), (instance, seed, share) => {
      const machines = machinesOf(instance)!;
      const random = createGenerator(seed);
      const graph = planOf(instance);
      const moves = around(instance, graph, random);
      for (let step = 0; step < 12; step++) {
        const count = moves.find();
        if (count === 0) break;
        moved++;
        const move = Math.floor(random() * count);
        const [task, other] = [moves.task[move] as number, moves.other[move] as number];
        if (moves.behind[move] === 1) graph.moveBehind(task, other);
        else graph.moveBefore(task, other);
        const anew = createDisjunctiveGraph(instance, machines);
        anew.load(startsOf(graph, instance));
        for (const direction of ["forward", "backward"] as const) {
          for (const part of ["end", "free", "previous", "next"] as const)
            expect(graph[direction][part].slice(0, instance.size)).toEqual(
              anew[direction][part].slice(0, instance.size),
            );
        }
        expect(graph.makespan).toBe(anew.makespan);
      }
      const other = startsOf(planOf(instance), instance);
      const between = createDisjunctiveGraph(instance, machines);
      const mean = (start: number, task: number) => share * start + (1 - share) * (other[task] as number);
      // Throws if the move closes a cycle.
      between.load(startsOf(graph, instance).map(mean));
      expect(between.makespan).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
  expect(moved).toBeGreaterThan(100);
});

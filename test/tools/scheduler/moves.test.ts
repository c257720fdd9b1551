import fc from "fast-check";
import { expect, it } from "vitest";
import {
  createDisjunctiveGraph,
  type DisjunctiveGraph,
} from "../../../src/tools/scheduler/job-shop/disjunctive-graph.ts";
import { machinesOf } from "../../../src/tools/scheduler/job-shop/machines.ts";
import { criticalPath, estimate, movesOf, passed } from "../../../src/tools/scheduler/job-shop/moves.ts";
import { createGenerator } from "../../../src/tools/scheduler/solving/generator.ts";
import { adjacency, demandOf, type Instance } from "../../../src/tools/scheduler/solving/instance.ts";

const MACHINES = 3;
const JOBS = 4;

/** Jobs that visit every machine once, each in an order of its own. */
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

/** The longest way through a task, its own duration included. */
function wayThrough({ head, tail }: DisjunctiveGraph, { duration }: Instance, task: number): number {
  return (head[task] as number) + (duration[task] as number) + (tail[task] as number);
}

function planOf(instance: Instance) {
  const graph = createDisjunctiveGraph(instance, machinesOf(instance)!);
  graph.load(Float64Array.from({ length: instance.size }, (_, task) => task % MACHINES));
  return graph;
}

const starts = ({ head }: DisjunctiveGraph) => [...head];

it("a critical path fills the plan without a pause, along jobs and machines", () => {
  fc.assert(
    fc.property(shops, fc.nat(99), (instance, seed) => {
      const graph = planOf(instance);
      const path = criticalPath(instance, graph, createGenerator(seed));
      let now = 0;
      for (const task of path) {
        expect(graph.head[task]).toBe(now);
        now += instance.duration[task] as number;
      }
      expect(now).toBe(graph.makespan());
      for (const [at, task] of path.entries()) {
        if (at === 0) continue;
        const previous = path[at - 1] as number;
        const isJob = task % MACHINES > 0 && previous === task - 1;
        expect(isJob || graph.before[task] === previous).toBe(true);
      }
    }),
  );
});

it("every move that is offered leads to a plan, which is as long as estimated where neighbours swap", () => {
  let swaps = 0;
  fc.assert(
    fc.property(shops, fc.nat(99), (instance, seed) => {
      const machines = machinesOf(instance)!;
      const before = planOf(instance);
      const path = criticalPath(instance, before, createGenerator(seed));
      const moves = movesOf(path, instance, machines, before);
      for (const move of moves) {
        const graph = planOf(instance);
        const between = passed(move, graph);
        expect(between.at(-1)).toBe(move.other);
        const guess = estimate(move, between, instance, graph);
        // Throws where it closes a cycle.
        if (move.behind) graph.moveBehind(move.task, move.other);
        else graph.moveBefore(move.task, move.other);
        expect(move.behind ? graph.before[move.task] : graph.behind[move.task]).toBe(move.other);
        const ways = [move.task, ...between].map((task) => wayThrough(graph, instance, task));
        if (between.length === 1) {
          swaps++;
          expect(guess).toBe(Math.max(...ways));
        } else {
          expect(guess).toBeGreaterThan(0);
          expect(guess).toBeLessThanOrEqual(Math.max(...ways));
        }
        expect(graph.makespan()).toBeGreaterThanOrEqual(Math.max(...ways));
      }
      // What only turns the order of two on the path round cannot be offered for one that stands alone.
      expect(moves.every(({ task, other }) => task !== other)).toBe(true);
      expect(starts(planOf(instance))).toEqual(starts(before));
    }),
    { numRuns: 200 },
  );
  expect(swaps).toBeGreaterThan(100);
});

it("a plan after any moves is what it would be computed anew, and what lies between two plans is one", () => {
  let moved = 0;
  fc.assert(
    fc.property(shops, fc.nat(99), fc.double({ min: 0, max: 1, noNaN: true }), (instance, seed, share) => {
      const machines = machinesOf(instance)!;
      const random = createGenerator(seed);
      const graph = planOf(instance);
      for (let step = 0; step < 12; step++) {
        const moves = movesOf(criticalPath(instance, graph, random), instance, machines, graph);
        const move = moves[Math.floor(random() * moves.length)];
        if (!move) break;
        moved++;
        if (move.behind) graph.moveBehind(move.task, move.other);
        else graph.moveBefore(move.task, move.other);
        const anew = createDisjunctiveGraph(instance, machines);
        anew.load(graph.head);
        for (const part of ["head", "tail", "ready", "rest", "before", "behind"] as const)
          expect(graph[part]).toEqual(anew[part]);
        expect(graph.makespan()).toBe(anew.makespan());
      }
      const other = planOf(instance).head;
      const between = createDisjunctiveGraph(instance, machines);
      // Throws where it closes a cycle.
      between.load(graph.head.map((start, task) => share * start + (1 - share) * (other[task] as number)));
      expect(between.makespan()).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
  expect(moved).toBeGreaterThan(100);
});

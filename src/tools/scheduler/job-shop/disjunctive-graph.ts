import type { Adjacency, Instance } from "../solving/instance.ts";
import { createLongestWays, type LongestPaths } from "./longest-paths.ts";
import type { Machines } from "./machines.ts";

/** A plan of a job shop: the order of the tasks on each machine, as links, and the times that follow from it. */
export interface DisjunctiveGraph {
  readonly forward: LongestPaths;
  readonly backward: LongestPaths;
  readonly makespan: number;
  /** Tasks without successors, apart from those on their machine. One of them ends the plan. */
  readonly lastTasks: Int32Array;
  /** Orders each machine by `starts`, ties by number. */
  load(starts: Float64Array): void;
  /** Moves a task directly behind a later one of its machine, and updates the times. */
  moveBehind(task: number, other: number): void;
  /** Moves a task directly in front of an earlier one of its machine, and updates the times. */
  moveBefore(task: number, other: number): void;
}

const CYCLE = "a move has closed a cycle";

export function createDisjunctiveGraph(instance: Instance, machines: Machines): DisjunctiveGraph {
  const { size, release, predecessors, successors } = instance;
  const none = size;
  const before = new Int32Array(size + 1).fill(none);
  const behind = new Int32Array(size + 1).fill(none);
  const forward = createLongestWays(instance, {
    ...{ previous: before, next: behind, sources: predecessors, sinks: successors, least: release },
  });
  const backward = createLongestWays(instance, {
    ...{ previous: behind, next: before, sources: successors, sinks: predecessors },
    least: new Float64Array(size),
  });
  const { offsets } = successors;
  const lastTasks = Int32Array.from(release.keys()).filter((task) => offsets[task] === offsets[task + 1]);
  /** The tasks in a topological order. */
  const order = new Int32Array(size);
  /** The position of each task in `order`. */
  const position = new Int32Array(size);
  const waitsFor = new Int32Array(size);
  /** While a part is sorted again: whether a task follows the one that has moved. */
  const follows = new Uint8Array(size + 1);
  const aside = new Int32Array(size);
  let makespan = 0;

  function sort(): void {
    let found = 0;
    const arrive = (task: number) => {
      const left = (waitsFor[task] as number) - 1;
      waitsFor[task] = left;
      if (left === 0) order[found++] = task;
    };
    for (let task = 0; task < size; task++) {
      const count = (predecessors.offsets[task + 1] as number) - (predecessors.offsets[task] as number);
      // One more than it waits for, since `arrive` subtracts one.
      waitsFor[task] = count + (before[task] === none ? 1 : 2);
      arrive(task);
    }
    for (let at = 0; at < found; at++) {
      const task = order[at] as number;
      position[task] = at;
      const stop = successors.offsets[task + 1] as number;
      for (let arc = successors.offsets[task] as number; arc < stop; arc++) {
        arrive(successors.targets[arc] as number);
      }
      if (behind[task] !== none) arrive(behind[task] as number);
    }
    if (found < size) throw new Error(CYCLE);
  }

  /**
   * Restores the topological order from `task` to `other`, which it was moved past. Tasks that follow `task`
   * move along.
   */
  function sortPast(task: number, other: number, { next, sinks }: LongestPaths, step: 1 | -1): void {
    let kept = position[task] as number;
    const last = position[other] as number;
    let taken = 0;
    follows[task] = 1;
    for (let at = kept; at !== last + step; at += step) {
      const each = order[at] as number;
      if (follows[each] === 0) {
        put(each, kept);
        kept += step;
        continue;
      }
      aside[taken++] = each;
      setFollowers(each, 1, next, sinks);
    }
    const isCycle = follows[other] === 1;
    for (let at = 0; at < taken; at++, kept += step) {
      const each = aside[at] as number;
      setFollowers(each, 0, next, sinks);
      put(each, kept);
    }
    follows[task] = 0;
    if (isCycle) throw new Error(CYCLE);
  }

  function put(task: number, at: number): void {
    order[at] = task;
    position[task] = at;
  }

  function setFollowers(task: number, value: 0 | 1, next: Int32Array, { offsets, targets }: Adjacency): void {
    follows[next[task] as number] = value;
    const stop = offsets[task + 1] as number;
    for (let at = offsets[task] as number; at < stop; at++) follows[targets[at] as number] = value;
  }

  /** Moves a task past others of its machine in the direction `to`; `from` is the opposite one. */
  function movePast(task: number, other: number, to: LongestPaths, from: LongestPaths, step: 1 | -1): void {
    const { previous, next } = to;
    const [first, last] = [position[task] as number, position[other] as number];
    const [left, right] = [previous[task] as number, next[task] as number];
    const beyond = next[other] as number;
    next[left] = right;
    previous[right] = left;
    next[other] = task;
    previous[task] = other;
    next[task] = beyond;
    previous[beyond] = task;
    sortPast(task, other, to, step);
    to.refresh(order, first, step);
    from.refresh(order, last, step === 1 ? -1 : 1);
    makespan = longest();
  }

  function longest(): number {
    let end = 0;
    for (let at = 0; at < lastTasks.length; at++) {
      end = Math.max(end, forward.end[lastTasks[at] as number] as number);
    }
    return end;
  }

  return {
    ...{ forward, backward, lastTasks },
    get makespan() {
      return makespan;
    },
    load(starts) {
      for (const tasks of machines.tasks) {
        const sorted = tasks.toSorted(
          (left, right) => (starts[left] as number) - (starts[right] as number) || left - right,
        );
        for (const [position, task] of sorted.entries()) {
          before[task] = sorted[position - 1] ?? none;
          behind[task] = sorted[position + 1] ?? none;
        }
      }
      sort();
      forward.refresh(order, 0, 1);
      backward.refresh(order, size - 1, -1);
      makespan = longest();
    },
    moveBehind: (task, other) => movePast(task, other, forward, backward, 1),
    moveBefore: (task, other) => movePast(task, other, backward, forward, -1),
  };
}

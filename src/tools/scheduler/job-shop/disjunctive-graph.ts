import type { Instance } from "../solving/instance.ts";
import type { Machines } from "./machines.ts";

/**
 * A plan of a job shop: the order of the tasks on each machine, as links, and what follows from it.
 * The arrays are public and flat because the search reads them millions of times.
 */
export interface DisjunctiveGraph {
  /** The task before and behind each on its machine; -1 for none. */
  readonly before: Int32Array;
  readonly behind: Int32Array;
  /** Longest way to the start of each task, and from its end to the end of the plan. */
  readonly head: Float64Array;
  readonly tail: Float64Array;
  /** The same by release and dependencies alone, the machines' order left out. */
  readonly ready: Float64Array;
  readonly rest: Float64Array;
  makespan(): number;
  /** Orders each machine by `starts`, ties by number. */
  load(starts: Float64Array): void;
  /** Puts a task directly behind, or in front of, another of its machine, and computes anew. */
  moveBehind(task: number, other: number): void;
  moveBefore(task: number, other: number): void;
}

const CYCLE = "a move has closed a cycle";

export function createDisjunctiveGraph(instance: Instance, machines: Machines): DisjunctiveGraph {
  const { size, duration, release } = instance;
  const { offsets: predecessorOffsets, targets: predecessors } = instance.predecessors;
  const { offsets: successorOffsets, targets: successors } = instance.successors;
  const before = new Int32Array(size).fill(-1);
  const behind = new Int32Array(size).fill(-1);
  const head = new Float64Array(size);
  const tail = new Float64Array(size);
  const ready = new Float64Array(size);
  const rest = new Float64Array(size);
  /** The tasks in a topological order, and where each stands in it. */
  const order = new Int32Array(size);
  const position = new Int32Array(size);
  /** By position: the latest end up to there. */
  const latest = new Float64Array(size);
  const waitsFor = new Int32Array(size);
  const isTaken = new Uint8Array(size);
  const aside = new Int32Array(size);

  function sort(): void {
    let found = 0;
    const arrive = (task: number) => {
      const left = (waitsFor[task] as number) - 1;
      waitsFor[task] = left;
      if (left === 0) order[found++] = task;
    };
    for (let task = 0; task < size; task++) {
      const count = (predecessorOffsets[task + 1] as number) - (predecessorOffsets[task] as number);
      // One more, which is taken off again here.
      waitsFor[task] = count + ((before[task] as number) >= 0 ? 2 : 1);
      arrive(task);
    }
    for (let at = 0; at < found; at++) {
      const task = order[at] as number;
      position[task] = at;
      const stop = successorOffsets[task + 1] as number;
      for (let arc = successorOffsets[task] as number; arc < stop; arc++) arrive(successors[arc] as number);
      if ((behind[task] as number) >= 0) arrive(behind[task] as number);
    }
    if (found < size) throw new Error(CYCLE);
  }

  /** Sorts anew what stands from `task` to `other`, where it is now behind that: what follows it goes along. */
  function sortBehind(task: number, other: number): void {
    let kept = position[task] as number;
    const last = position[other] as number;
    let taken = 0;
    for (let at = kept; at <= last; at++) {
      const each = order[at] as number;
      if (each === task || isBehindTaken(each)) {
        isTaken[each] = 1;
        aside[taken++] = each;
      } else put(each, kept++);
    }
    for (let at = 0; at < taken; at++) put(aside[at] as number, kept++);
    settle(taken, other);
  }

  /** The same with time turned round. */
  function sortBefore(task: number, other: number): void {
    let kept = position[task] as number;
    const first = position[other] as number;
    let taken = 0;
    for (let at = kept; at >= first; at--) {
      const each = order[at] as number;
      if (each === task || isBeforeTaken(each)) {
        isTaken[each] = 1;
        aside[taken++] = each;
      } else put(each, kept--);
    }
    for (let at = 0; at < taken; at++) put(aside[at] as number, kept--);
    settle(taken, other);
  }

  function put(task: number, at: number): void {
    order[at] = task;
    position[task] = at;
  }

  function settle(taken: number, other: number): void {
    const isCycle = isTaken[other] === 1;
    for (let at = 0; at < taken; at++) isTaken[aside[at] as number] = 0;
    if (isCycle) throw new Error(CYCLE);
  }

  function isBehindTaken(task: number): boolean {
    const previous = before[task] as number;
    if (previous >= 0 && isTaken[previous] === 1) return true;
    const stop = predecessorOffsets[task + 1] as number;
    for (let at = predecessorOffsets[task] as number; at < stop; at++)
      if (isTaken[predecessors[at] as number] === 1) return true;
    return false;
  }

  function isBeforeTaken(task: number): boolean {
    const next = behind[task] as number;
    if (next >= 0 && isTaken[next] === 1) return true;
    const stop = successorOffsets[task + 1] as number;
    for (let at = successorOffsets[task] as number; at < stop; at++)
      if (isTaken[successors[at] as number] === 1) return true;
    return false;
  }

  /** Heads from a position on, and tails from one back: the others stay as they are. */
  function compute(from: number, to: number): void {
    let end = from > 0 ? (latest[from - 1] as number) : 0;
    for (let at = from; at < size; at++) {
      const task = order[at] as number;
      let start = release[task] as number;
      const stop = predecessorOffsets[task + 1] as number;
      for (let arc = predecessorOffsets[task] as number; arc < stop; arc++) {
        const other = predecessors[arc] as number;
        const way = (head[other] as number) + (duration[other] as number);
        if (way > start) start = way;
      }
      ready[task] = start;
      const previous = before[task] as number;
      if (previous >= 0) {
        const way = (head[previous] as number) + (duration[previous] as number);
        if (way > start) start = way;
      }
      head[task] = start;
      const own = start + (duration[task] as number);
      if (own > end) end = own;
      latest[at] = end;
    }
    for (let at = to; at >= 0; at--) {
      const task = order[at] as number;
      let left = 0;
      const stop = successorOffsets[task + 1] as number;
      for (let arc = successorOffsets[task] as number; arc < stop; arc++) {
        const other = successors[arc] as number;
        const way = (tail[other] as number) + (duration[other] as number);
        if (way > left) left = way;
      }
      rest[task] = left;
      const next = behind[task] as number;
      if (next >= 0) {
        const way = (tail[next] as number) + (duration[next] as number);
        if (way > left) left = way;
      }
      tail[task] = left;
    }
  }

  function link(left: number, right: number): void {
    if (left >= 0) behind[left] = right;
    if (right >= 0) before[right] = left;
  }

  function take(task: number): void {
    link(before[task] as number, behind[task] as number);
  }

  return {
    before,
    behind,
    head,
    tail,
    ready,
    rest,
    makespan: () => (size > 0 ? (latest[size - 1] as number) : 0),
    load(starts) {
      for (const tasks of machines.tasks) {
        const sorted = tasks.toSorted(
          (left, right) => (starts[left] as number) - (starts[right] as number) || left - right,
        );
        for (const [position, task] of sorted.entries()) {
          before[task] = sorted[position - 1] ?? -1;
          behind[task] = sorted[position + 1] ?? -1;
        }
      }
      sort();
      compute(0, size - 1);
    },
    moveBehind(task, other) {
      const [from, to] = [position[task] as number, position[other] as number];
      take(task);
      link(task, behind[other] as number);
      link(other, task);
      sortBehind(task, other);
      compute(from, to);
    },
    moveBefore(task, other) {
      const [from, to] = [position[other] as number, position[task] as number];
      take(task);
      link(before[other] as number, task);
      link(task, other);
      sortBefore(task, other);
      compute(from, to);
    },
  };
}

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
  const order = new Int32Array(size);
  const waitsFor = new Int32Array(size);
  let makespan = 0;

  /** Heads in a topological order, found on the way; tails in its reverse. */
  function compute(): void {
    let found = 0;
    for (let task = 0; task < size; task++) {
      const count =
        (predecessorOffsets[task + 1] as number) -
        (predecessorOffsets[task] as number) +
        ((before[task] as number) >= 0 ? 1 : 0);
      waitsFor[task] = count;
      ready[task] = release[task] as number;
      if (count === 0) order[found++] = task;
    }
    makespan = 0;
    for (let position = 0; position < found; position++) {
      const task = order[position] as number;
      let start = ready[task] as number;
      const previous = before[task] as number;
      if (previous >= 0) {
        const end = (head[previous] as number) + (duration[previous] as number);
        if (end > start) start = end;
      }
      head[task] = start;
      const end = start + (duration[task] as number);
      if (end > makespan) makespan = end;
      const stop = successorOffsets[task + 1] as number;
      for (let at = successorOffsets[task] as number; at < stop; at++) {
        const after = successors[at] as number;
        if (end > (ready[after] as number)) ready[after] = end;
        const left = (waitsFor[after] as number) - 1;
        waitsFor[after] = left;
        if (left === 0) order[found++] = after;
      }
      const next = behind[task] as number;
      if (next >= 0) {
        const left = (waitsFor[next] as number) - 1;
        waitsFor[next] = left;
        if (left === 0) order[found++] = next;
      }
    }
    if (found < size) throw new Error("a move has closed a cycle");
    rest.fill(0);
    for (let position = size - 1; position >= 0; position--) {
      const task = order[position] as number;
      let left = rest[task] as number;
      const next = behind[task] as number;
      if (next >= 0) {
        const way = (tail[next] as number) + (duration[next] as number);
        if (way > left) left = way;
      }
      tail[task] = left;
      const way = left + (duration[task] as number);
      const stop = predecessorOffsets[task + 1] as number;
      for (let at = predecessorOffsets[task] as number; at < stop; at++) {
        const other = predecessors[at] as number;
        if (way > (rest[other] as number)) rest[other] = way;
      }
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
    makespan: () => makespan,
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
      compute();
    },
    moveBehind(task, other) {
      take(task);
      link(task, behind[other] as number);
      link(other, task);
      compute();
    },
    moveBefore(task, other) {
      take(task);
      link(before[other] as number, task);
      link(task, other);
      compute();
    },
  };
}

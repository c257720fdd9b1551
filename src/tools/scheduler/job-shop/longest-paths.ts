import type { Adjacency, Instance } from "../solving/instance.ts";

/**
 * The longest paths in a plan of a job shop in one direction of time: forwards from its start, or backwards
 * from its end. The arrays are indexed by task. They are public and flat because the search reads them
 * millions of times.
 */
export interface LongestPaths {
  /** The previous task of each on its machine; the number of tasks if there is none. */
  readonly previous: Int32Array;
  /** The next task of each on its machine; the number of tasks if there is none. */
  readonly next: Int32Array;
  /** The longest path through each task, with its own duration; 0 at the index that stands for no task. */
  readonly end: Float64Array;
  /** The longest path up to each task by release and dependencies alone, without the order on machines. */
  readonly free: Float64Array;
  /** Successors of each task, without the order on machines. */
  readonly sinks: Adjacency;
  /**
   * Recomputes everything from a position of a topological order on. A move there changes most of it, and
   * finding out what does not change takes longer.
   */
  refresh(order: Int32Array, from: number, step: 1 | -1): void;
}

interface Links {
  previous: Int32Array;
  next: Int32Array;
  /** Predecessors of each task. */
  sources: Adjacency;
  /** Successors of each task. */
  sinks: Adjacency;
  /** The minimum length of the path up to each task. */
  least: Float64Array;
}

export function createLongestWays(
  { size, duration }: Instance,
  { previous, next, sources, sinks, least }: Links,
): LongestPaths {
  const end = new Float64Array(size + 1);
  const free = new Float64Array(size);
  // A task of a job has at most one predecessor, which is thus found without a loop.
  const source = firstOf(sources, size);
  const hasMore = source.some((_, task) => countOf(sources, task) > 1);

  return {
    ...{ previous, next, end, free, sinks },

    refresh(order, from, step) {
      // Local variables spare the loop from reading those of the closure for each task.
      const [ends, frees, leasts] = [end, free, least];
      const [sourceOf, previousOf, durations] = [source, previous, duration];
      const stop = step === 1 ? size : -1;
      for (let at = from; at !== stop; at += step) {
        const task = order[at] as number;
        let longest = ends[sourceOf[task] as number] as number;
        // Math.max is slower, since it checks for NaN and -0.
        if ((leasts[task] as number) > longest) longest = leasts[task] as number;
        if (hasMore) longest = Math.max(longest, wayThroughOthers(task));
        frees[task] = longest;
        const freed = ends[previousOf[task] as number] as number;
        // The greater of the two, exact since times are whole. A branch costs more, since it cannot be predicted.
        const start = (freed + longest + Math.abs(freed - longest)) / 2;
        ends[task] = start + (durations[task] as number);
      }
    },
  };

  /** Returns the longest path through the predecessors of a task, without the first of them. */
  function wayThroughOthers(task: number): number {
    let longest = 0;
    const stop = sources.offsets[task + 1] as number;
    for (let arc = (sources.offsets[task] as number) + 1; arc < stop; arc++) {
      longest = Math.max(longest, end[sources.targets[arc] as number] as number);
    }
    return longest;
  }
}

function firstOf(rows: Adjacency, size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, task) =>
    countOf(rows, task) === 0 ? size : (rows.targets[rows.offsets[task] as number] as number),
  );
}

function countOf({ offsets }: Adjacency, task: number): number {
  return (offsets[task + 1] as number) - (offsets[task] as number);
}

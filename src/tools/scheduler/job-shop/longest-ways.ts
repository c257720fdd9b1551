import type { Adjacency, Instance } from "../solving/instance.ts";

/**
 * A plan of a job shop as it is read in one direction of time: from its start on, or from its end back.
 * The arrays are by task, public and flat because the search reads them millions of times.
 */
export interface LongestWays {
  /** The task before each on its machine, and the one behind; where there is none, the number of tasks. */
  readonly previous: Int32Array;
  readonly next: Int32Array;
  /** The longest way through each task, its own duration included; 0 through none. */
  readonly end: Float64Array;
  /** The longest way up to each task by release and dependencies alone, the machines' order left out. */
  readonly free: Float64Array;
  /** Who waits for each, machines left out. */
  readonly sinks: Adjacency;
  /** Says that what is before a task has changed. */
  touch(task: number): void;
  touchAll(): void;
  /** Computes what was touched, and what follows from it, in a topological order from a position on. */
  refresh(order: Int32Array, from: number, step: 1 | -1): void;
}

interface Links {
  previous: Int32Array;
  next: Int32Array;
  /** Whom each waits for, and who waits for it. */
  sources: Adjacency;
  sinks: Adjacency;
  /** The least way up to each. */
  least: Float64Array;
}

export function createLongestWays(
  { size, duration }: Instance,
  { previous, next, sources, sinks, least }: Links,
): LongestWays {
  const end = new Float64Array(size + 1);
  const free = new Float64Array(size);
  // A task of a job has one of either: these are found without a search.
  const source = firstOf(sources, size);
  const sink = firstOf(sinks, size);
  /** What stands for no task is always stale, and so is never counted. */
  const stale = new Uint8Array(size + 1).fill(1, size);
  let staleCount = 0;

  function touch(task: number): void {
    staleCount += 1 - (stale[task] as number);
    stale[task] = 1;
  }

  return {
    ...{ previous, next, end, free, sinks, touch },

    touchAll() {
      stale.fill(1);
      staleCount = size;
    },

    refresh(order, from, step) {
      for (let at = from; staleCount > 0; at += step) {
        const task = order[at] as number;
        if (stale[task] === 0) continue;
        stale[task] = 0;
        staleCount--;
        let longest = Math.max(least[task] as number, end[source[task] as number] as number);
        const stop = sources.offsets[task + 1] as number;
        for (let arc = (sources.offsets[task] as number) + 1; arc < stop; arc++) {
          longest = Math.max(longest, end[sources.targets[arc] as number] as number);
        }
        free[task] = longest;
        longest = Math.max(longest, end[previous[task] as number] as number) + (duration[task] as number);
        if (end[task] === longest) continue;
        end[task] = longest;
        touch(next[task] as number);
        touch(sink[task] as number);
        const last = sinks.offsets[task + 1] as number;
        for (let arc = (sinks.offsets[task] as number) + 1; arc < last; arc++)
          touch(sinks.targets[arc] as number);
      }
    },
  };
}

function firstOf({ offsets, targets }: Adjacency, size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, task) =>
    offsets[task] === offsets[task + 1] ? size : (targets[offsets[task] as number] as number),
  );
}

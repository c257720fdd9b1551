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
  /**
   * Computes all from a position of a topological order on. Most of it follows from a move of what stands there, and
   * finding out what does not takes longer.
   */
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
  // A task of a job has one at most: it is found without a search.
  const source = firstOf(sources, size);
  const hasMore = source.some((_, task) => countOf(sources, task) > 1);

  return {
    ...{ previous, next, end, free, sinks },

    refresh(order, from, step) {
      // Variables of its own save the loop from reading those of the closure for each task.
      const [ends, frees, leasts] = [end, free, least];
      const [sourceOf, previousOf, durations] = [source, previous, duration];
      const stop = step === 1 ? size : -1;
      for (let at = from; at !== stop; at += step) {
        const task = order[at] as number;
        let longest = ends[sourceOf[task] as number] as number;
        // Math.max takes longer: it looks for NaN and -0.
        if ((leasts[task] as number) > longest) longest = leasts[task] as number;
        if (hasMore) longest = Math.max(longest, wayThroughOthers(task));
        frees[task] = longest;
        const freed = ends[previousOf[task] as number] as number;
        // The greater of the two, exact since times are whole. Which it is no processor predicts, so a branch costs more.
        const start = (freed + longest + Math.abs(freed - longest)) / 2;
        ends[task] = start + (durations[task] as number);
      }
    },
  };

  /** The longest way through what a task waits for, the first of it left out. */
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

import type { Calendar } from "../calendar/calendar.ts";

/**
 * A resource-constrained project scheduling problem in numbers. Tasks are numbered in a topological
 * order, so that a task's number is greater than those of its predecessors; times are milliseconds.
 */
export interface Instance {
  readonly size: number;
  readonly duration: Float64Array;
  /** No task starts before its release. */
  readonly release: Float64Array;
  /** Infinite for a task without a deadline. */
  readonly deadline: Float64Array;
  readonly predecessors: Adjacency;
  readonly successors: Adjacency;
  /** Capacities of the resources that can run short; others are left out. */
  readonly capacity: Int32Array;
  /** For a task with alternatives, what all of them take. */
  readonly demand: Demand;
  readonly constraints?: Constraints | undefined;
}

/** Constraints that few projects have, beyond dependencies, resources and releases. */
export interface Constraints {
  /** For each target of the predecessors, the time after it from which a task may start; negative for an overlap. */
  readonly lag: Float64Array;
  /** For each target of the predecessors, 1 if the lag counts from its start. */
  readonly fromStart: Uint8Array;
  /** By task, the index of the first of its ways. The arrays by way hold those of all tasks. */
  readonly firstWay: Int32Array;
  /** By task, the number of its ways. */
  readonly wayCount: Int32Array;
  /** Demand by way. */
  readonly demand: Demand;
  /** Calendar by way; undefined if it is always open. */
  readonly calendar: readonly (Calendar | undefined)[];
  /** By task, 1 if it must not be interrupted. */
  readonly whole: Uint8Array;
  /** Calendar of each resource by itself, outside of which none of it can be used. */
  readonly open: readonly (Calendar | undefined)[];
  /** Whether time runs backwards. */
  readonly isMirrored: boolean;
}

/**
 * Returns an empty schedule: the end of each task and, with constraints, after all ends the way of each,
 * counted from 0.
 */
export function emptySchedule({ size, constraints }: Instance): Float64Array {
  return new Float64Array(constraints ? 2 * size : size);
}

/** Rows in one array: the neighbours of `task` are `targets[offsets[task]]` to `targets[offsets[task + 1] - 1]`. */
export interface Adjacency {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

/** Rows like those of an adjacency: which resources a task takes, and how many units of each. */
export interface Demand {
  readonly offsets: Int32Array;
  readonly resources: Int32Array;
  readonly units: Int32Array;
  /** By row, a number that rows with the same demand share. */
  readonly kind: Int32Array;
}

export function adjacency(rows: readonly (readonly number[])[]): Adjacency {
  return { offsets: offsetsOf(rows), targets: Int32Array.from(rows.flat()) };
}

/** @param rows for each task, pairs of resource and units. */
export function demandOf(rows: readonly (readonly (readonly [resource: number, units: number])[])[]): Demand {
  const kinds = new Map<string, number>();
  const kind = rows.map((row) => {
    const key = row.join(" ");
    const known = kinds.get(key) ?? kinds.size;
    kinds.set(key, known);
    return known;
  });
  return {
    offsets: offsetsOf(rows),
    resources: Int32Array.from(rows.flat(), ([resource]) => resource),
    units: Int32Array.from(rows.flat(), ([, units]) => units),
    kind: Int32Array.from(kind),
  };
}

/**
 * Returns the same problem with time running backwards, without releases and deadlines. Task `i` becomes
 * `size - 1 - i`. A schedule of it, reversed, is one whose tasks end as late as they can.
 */
export function mirrored(instance: Instance): Instance {
  const { size, capacity } = instance;
  const turned = <Row>(rowOf: (task: number) => Row) =>
    Array.from({ length: size }, (_, task) => rowOf(size - 1 - task));
  const neighbours = (from: Adjacency) =>
    adjacency(turned((task) => Array.from(rowOf(from, task), (other) => size - 1 - other)));
  const { offsets, resources, units } = instance.demand;
  return {
    size,
    capacity,
    duration: instance.duration.toReversed(),
    release: new Float64Array(size),
    deadline: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
    predecessors: neighbours(instance.successors),
    successors: neighbours(instance.predecessors),
    demand: demandOf(
      turned((task) => {
        const row: [number, number][] = [];
        for (let at = offsets[task] as number; at < (offsets[task + 1] as number); at++) {
          row.push([resources[at] as number, units[at] as number]);
        }
        return row;
      }),
    ),
    constraints: instance.constraints && mirroredConstraints(instance, instance.constraints),
  };
}

/**
 * Reverses constraints in time. A lag from a start becomes one to an end, and is stored as a lag to the start
 * by subtracting the duration.
 */
function mirroredConstraints(instance: Instance, constraints: Constraints): Constraints {
  const { size, duration, predecessors, successors } = instance;
  const lags: number[][] = Array.from({ length: size }, () => []);
  for (let task = 0; task < size; task++) {
    for (
      let at = predecessors.offsets[task] as number;
      at < (predecessors.offsets[task + 1] as number);
      at++
    ) {
      const before = predecessors.targets[at] as number;
      const sooner = constraints.fromStart[at] === 1 ? (duration[before] as number) : 0;
      // Successors are listed by number, which is the order of this loop.
      lags[before]?.push((constraints.lag[at] as number) - sooner);
    }
  }
  return {
    ...constraints,
    lag: Float64Array.from(lags.toReversed().flat()),
    fromStart: new Uint8Array(successors.targets.length),
    firstWay: constraints.firstWay.toReversed(),
    wayCount: constraints.wayCount.toReversed(),
    whole: constraints.whole.toReversed(),
    isMirrored: !constraints.isMirrored,
  };
}

export function rowOf({ offsets, targets }: Adjacency, task: number): Int32Array {
  return targets.subarray(offsets[task], offsets[task + 1]);
}

/** Returns the longest chain of tasks after each task, without its own duration. */
export function tails({ size, duration, predecessors, constraints }: Instance): Float64Array {
  const tail = new Float64Array(size);
  for (let task = size - 1; task >= 0; task--) {
    const own = (duration[task] as number) + (tail[task] as number);
    for (
      let at = predecessors.offsets[task] as number;
      at < (predecessors.offsets[task + 1] as number);
      at++
    ) {
      // The length of a task with its pauses is not known.
      if (constraints?.fromStart[at] === 1) continue;
      const before = predecessors.targets[at] as number;
      const way = own + (constraints?.lag[at] ?? 0);
      if (way > (tail[before] as number)) tail[before] = way;
    }
  }
  return tail;
}

function offsetsOf(rows: readonly (readonly unknown[])[]): Int32Array {
  const offsets = new Int32Array(rows.length + 1);
  for (const [index, row] of rows.entries()) offsets[index + 1] = (offsets[index] as number) + row.length;
  return offsets;
}

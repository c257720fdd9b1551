import { type Choice, createConstrainedGeneration, startsOf } from "./constrained-generation.ts";
import { createFlatGeneration } from "./flat-generation.ts";
import { type Adjacency, emptySchedule, type Instance, mirrored } from "./instance.ts";
import { createSorting } from "./sequence.ts";
import { createSerialGeneration, type Generation } from "./serial-generation.ts";

/** A millisecond past a deadline weighs as much as this many of the whole plan's length. */
const LATENESS_WEIGHT = 1000;

/**
 * Returns the cost of a plan: its length plus, with a far greater weight, how late its tasks end.
 *
 * @param shortest counts instead of the length if the plan is shorter.
 */
export function costOf({ deadline }: Pick<Instance, "deadline">, ends: Float64Array, shortest = 0): number {
  let makespan = shortest;
  let lateness = 0;
  for (let task = 0; task < deadline.length; task++) {
    const end = ends[task] as number;
    if (end > makespan) makespan = end;
    if (end > (deadline[task] as number)) lateness += end - (deadline[task] as number);
  }
  return makespan + LATENESS_WEIGHT * lateness;
}

/**
 * Generates schedules from keys, and improves them by justification: moves the tasks as late as possible by
 * descending end, then as early as possible by ascending start.
 */
export function createForwardBackward(instance: Instance) {
  const { size, predecessors } = instance;
  const mirror = mirrored(instance);
  const sort = createSorting(size);
  const forward = generationOf(instance);
  const backward = generationOf(mirror);
  const order = new Int32Array(size);
  const keys = new Float64Array(size);
  const turned = emptySchedule(instance);

  /** Schedules tasks by ascending key, each after its predecessors. Keys are raised to ensure that. */
  function generate(keys: Float64Array, ends: Float64Array): void {
    putBehind(predecessors, keys);
    sort(keys, order);
    forward(order, ends, { keepsWays: false, origin: 0 });
  }

  /**
   * Reverses a schedule: its ends in one direction become the starts in the other, as `keys`.
   *
   * @returns its length
   */
  function turn(ends: Float64Array, into: Float64Array): number {
    let last = 0;
    for (let task = 0; task < size; task++) last = Math.max(last, ends[task] as number);
    for (let task = 0; task < size; task++) keys[size - 1 - task] = last - (ends[task] as number);
    if (instance.constraints) {
      for (let task = 0; task < size; task++) into[2 * size - 1 - task] = ends[size + task] as number;
    }
    return last;
  }

  /**
   * Makes one pass in each direction, which takes two schedules. Only releases and deadlines can make the
   * result worse.
   */
  function justify(ends: Float64Array, into: Float64Array): void {
    latest(ends, turned, putBehind);
    turn(turned, into);
    if (instance.constraints) putBehind(predecessors, keys);
    sort(keys, order);
    forward(order, into, { keepsWays: true, origin: 0 });
  }

  /**
   * Writes the ends, in reversed time, of the schedule in which every task starts as late as the plan's
   * length allows. Overlapping tasks may end in another order than that of their dependencies, which `arrange`
   * restores.
   */
  function latest(ends: Float64Array, into: Float64Array, arrange: typeof putBehind): number {
    const last = turn(ends, into);
    if (instance.constraints) arrange(mirror.predecessors, keys);
    sort(keys, order);
    backward(order, into, { keepsWays: true, origin: last });
    return last;
  }

  /** Returns how far each task can move without making the plan longer, if its successors move too. */
  function slack(ends: Float64Array): Float64Array {
    // Otherwise a task that others depend on could lose its place to a third, and seem to have to start earlier.
    const last = latest(ends, turned, putBefore);
    const slack = startsOf(instance, ends).map(
      (start, task) => last - (turned[size - 1 - task] as number) - start,
    );
    // Backwards, lags from a start are kept too strictly if calendars make pauses.
    return instance.constraints ? slack.map((each) => Math.max(0, each)) : slack;
  }

  return { generate, justify, slack };
}

/** Raises keys until each task has at least those of its predecessors. */
function putBehind({ offsets, targets }: Adjacency, keys: Float64Array): void {
  for (let task = 0; task + 1 < offsets.length; task++) {
    for (let at = offsets[task] as number; at < (offsets[task + 1] as number); at++) {
      const key = keys[targets[at] as number] as number;
      if (key > (keys[task] as number)) keys[task] = key;
    }
  }
}

/** Lowers keys until no task has more than those that have it as a predecessor. */
function putBefore({ offsets, targets }: Adjacency, keys: Float64Array): void {
  for (let task = offsets.length - 2; task >= 0; task--) {
    for (let at = offsets[task] as number; at < (offsets[task + 1] as number); at++) {
      const before = targets[at] as number;
      if ((keys[before] as number) > (keys[task] as number)) keys[before] = keys[task] as number;
    }
  }
}

function generationOf(instance: Instance): (...given: [...Parameters<Generation>, Choice]) => void {
  if (instance.constraints) return createConstrainedGeneration(instance, instance.constraints);
  return createFlatGeneration(instance) ?? createSerialGeneration(instance);
}

export type ForwardBackward = ReturnType<typeof createForwardBackward>;

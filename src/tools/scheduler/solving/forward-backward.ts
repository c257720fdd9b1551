import { createFlatGeneration } from "./flat-generation.ts";
import { type Instance, mirrored } from "./instance.ts";
import { createSorting } from "./sequence.ts";
import { createSerialGeneration, type Generation } from "./serial-generation.ts";

/** A millisecond past a deadline weighs as much as this many of the whole plan's length. */
const LATENESS_WEIGHT = 1000;

/**
 * What a plan is judged by: its length, and far more than that by how late tasks end.
 *
 * @param shortest counts where the plan is shorter.
 */
export function costOf({ deadline }: Pick<Instance, "deadline">, ends: Float64Array, shortest = 0): number {
  let makespan = shortest;
  let lateness = 0;
  for (let task = 0; task < ends.length; task++) {
    const end = ends[task] as number;
    if (end > makespan) makespan = end;
    if (end > (deadline[task] as number)) lateness += end - (deadline[task] as number);
  }
  return makespan + LATENESS_WEIGHT * lateness;
}

/**
 * Schedules made from keys, and improved by going backwards and forwards (justification): the tasks by
 * descending end as late as possible, then by ascending start as early as possible.
 */
export function createForwardBackward(instance: Instance) {
  const { size, duration, predecessors } = instance;
  const mirror = mirrored(instance);
  const sort = createSorting(size);
  const forward = generationOf(instance);
  const backward = generationOf(mirror);
  const order = new Int32Array(size);
  const keys = new Float64Array(size);
  const turned = new Float64Array(size);

  /** Schedules by ascending key, each task behind its predecessors. The keys are changed to hold that. */
  function generate(keys: Float64Array, ends: Float64Array): void {
    const { offsets, targets } = predecessors;
    for (let task = 0; task < size; task++) {
      for (let at = offsets[task] as number; at < (offsets[task + 1] as number); at++) {
        const key = keys[targets[at] as number] as number;
        if (key > (keys[task] as number)) keys[task] = key;
      }
    }
    sort(keys, order);
    forward(order, ends);
  }

  /** Turns a schedule round: the ends of one direction are the starts of the other. */
  function turn(ends: Float64Array): void {
    let last = 0;
    for (let task = 0; task < size; task++) last = Math.max(last, ends[task] as number);
    for (let task = 0; task < size; task++) keys[size - 1 - task] = last - (ends[task] as number);
  }

  /** One pass in each direction, of two schedules. The result is not worse but for releases and deadlines. */
  function justify(ends: Float64Array, into: Float64Array): void {
    latest(ends, turned);
    turn(turned);
    sort(keys, order);
    forward(order, into);
  }

  /** The ends, in turned time, of the schedule in which all starts as late as the plan's length allows. */
  function latest(ends: Float64Array, into: Float64Array): void {
    turn(ends);
    sort(keys, order);
    backward(order, into);
  }

  /** For each task, how far it can move without the plan becoming longer, if what follows moves too. */
  function slack(ends: Float64Array): Float64Array {
    latest(ends, turned);
    const makespan = ends.reduce((most, end) => Math.max(most, end), 0);
    return ends.map(
      (end, task) => makespan - (turned[size - 1 - task] as number) + (duration[task] as number) - end,
    );
  }

  return { generate, justify, slack };
}

function generationOf(instance: Instance): Generation {
  return createFlatGeneration(instance) ?? createSerialGeneration(instance);
}

export type ForwardBackward = ReturnType<typeof createForwardBackward>;

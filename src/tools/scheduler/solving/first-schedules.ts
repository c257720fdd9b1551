import type { Budget } from "./budget.ts";
import { costOf, type ForwardBackward } from "./forward-backward.ts";
import { emptySchedule, type Instance, rowOf, tails } from "./instance.ts";
import { generateParallel } from "./parallel-generation.ts";

export interface Solution {
  /** As `emptySchedule` says. */
  ends: Float64Array;
  cost: number;
}

const MAX_PASSES = 5;
/** Parallel generation looks at all that may start whenever something ends: beyond so many tasks that tells. */
const TASKS_PER_WEIGHT = 1000;

/**
 * The best of a few schedules by priority rules: the latest start that the longest chain behind a task,
 * or its deadline, leaves it; each generated serially and in parallel, then justified as long as that
 * shortens it.
 */
export function firstSchedules(
  instance: Instance,
  { generate, justify }: ForwardBackward,
  bound: number,
  budget: Budget,
): Solution {
  const { size } = instance;
  let best: Solution | undefined;
  const ends = emptySchedule(instance);
  const improved = emptySchedule(instance);

  const methods = instance.constraints ? [generate] : [generate, generateInParallel];
  for (const ranks of ranksOf(instance)) {
    for (const method of methods) {
      const weight = method === generate ? 1 : Math.max(1, size / TASKS_PER_WEIGHT);
      if ((best && best.cost <= bound) || !(budget.spend(weight) || !best)) return best as Solution;
      method(ranks.slice(), ends);
      keep(ends);
      for (let pass = 0; pass < MAX_PASSES && budget.spend() && budget.spend(); pass++) {
        justify(ends, improved);
        const before = costOf(instance, ends);
        const after = costOf(instance, improved);
        if (after <= before) ends.set(improved);
        keep(ends);
        if (after >= before) break;
      }
    }
  }
  return best as Solution;

  function generateInParallel(ranks: Float64Array, ends: Float64Array): void {
    generateParallel(instance, ranks, ends);
  }

  function keep(ends: Float64Array): void {
    const cost = costOf(instance, ends);
    if (!best || cost < best.cost) best = { ends: ends.slice(), cost };
  }
}

/** Keys, small ones first: by chain, and by deadline too where there are any. */
function ranksOf(instance: Instance): Float64Array[] {
  const { size, duration, deadline, release, successors } = instance;
  const behind = tails(instance).map((tail, task) => tail + (duration[task] as number));
  const longest = behind.reduce((most, each) => Math.max(most, each), 0);
  const byChain = behind.map((each) => longest - each);
  if (deadline.every((at) => at === Number.POSITIVE_INFINITY)) return [byChain];
  const horizon = [...duration, ...release].reduce((sum, each) => sum + each, 0);
  const latest = new Float64Array(size);
  for (let task = size - 1; task >= 0; task--) {
    let end = Math.min(deadline[task] as number, horizon);
    for (const after of rowOf(successors, task)) end = Math.min(end, latest[after] as number);
    latest[task] = end - (duration[task] as number);
  }
  const least = latest.reduce((before, each) => Math.min(before, each), 0);
  // Deadlines may lie between two units of time, and keys are whole numbers.
  return [latest.map((each) => Math.floor(each - least)), byChain];
}

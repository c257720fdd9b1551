import type { Budget } from "./budget.ts";
import { costOf, type ForwardBackward } from "./forward-backward.ts";
import { emptySchedule, type Instance, rowOf, tails } from "./instance.ts";
import { generateParallel } from "./parallel-generation.ts";

export interface Solution {
  /** In the form of `emptySchedule`. */
  ends: Float64Array;
  cost: number;
}

const MAX_PASSES = 5;
/** Tasks from which parallel generation takes more of the budget: it checks all eligible tasks whenever one ends. */
const TASKS_PER_WEIGHT = 1000;

/**
 * Returns the best of a few schedules by priority rules, which rank tasks by the latest start that the
 * longest chain after them, or their deadline, allows. Each is generated serially and in parallel, then
 * justified as long as that improves it.
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
      const weight = method === generate ? 1 : Math.max(1, Math.round(size / TASKS_PER_WEIGHT));
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

/** Returns ranks, small ones first: by chain, and also by deadline if there are any. */
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
  // Keys are whole numbers, but deadlines may be fractions of the unit of time.
  return [latest.map((each) => Math.floor(each - least)), byChain];
}

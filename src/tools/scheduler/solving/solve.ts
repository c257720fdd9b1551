import { machinesOf } from "../job-shop/machines.ts";
import { tabuSearch } from "../job-shop/tabu-search.ts";
import type { Budget } from "./budget.ts";
import { firstSchedules, type Solution } from "./first-schedules.ts";
import { costOf, type ForwardBackward } from "./forward-backward.ts";
import { createGenerator } from "./generator.ts";
import { geneticSearch } from "./genetic-search.ts";
import { emptySchedule, type Instance } from "./instance.ts";
import { iteratedGreedy } from "./iterated-greedy.ts";

/**
 * Maximum number of tasks for a genetic search. A population of larger plans takes too long to improve on its
 * first.
 */
const MAX_EVOLVED_TASKS = 500;

/** Searches for the cheapest plan until the budget is spent or `bound` is reached. */
export function solve(
  instance: Instance,
  method: ForwardBackward,
  { bound, budget, seed }: { bound: number; budget: Budget; seed: number },
): Solution {
  const first = firstSchedules(instance, method, bound, budget);
  const search = { first, bound, budget, random: createGenerator(seed) };
  const machines = machinesOf(instance);
  if (machines) return tabuSearch(instance, machines, method, search);
  const improve = instance.size > MAX_EVOLVED_TASKS ? iteratedGreedy : geneticSearch;
  return improve(instance, method, search);
}

/** Weights of priorities against the order that was found, the greatest first. */
const INFLUENCES = [1, 0.5, 0.25, 0.1, 0.03, 0.01];

/** Returns the plan with tasks of greater priority earlier, if that does not make it more expensive. */
export function preferUrgent(
  instance: Instance,
  { generate }: ForwardBackward,
  solution: Solution,
  priorities: readonly number[],
): Solution {
  const ranks = new Map(
    [...new Set(priorities)].sort((left, right) => right - left).map((each, rank) => [each, rank]),
  );
  if (ranks.size < 2) return solution;
  const greatest = Math.max(...[...ranks.keys()].map(Math.abs));
  const { ends } = solution;
  const makespan = costOf({ deadline: new Float64Array(instance.size).fill(Number.POSITIVE_INFINITY) }, ends);
  const keys = new Float64Array(instance.size);
  const changed = emptySchedule(instance);
  const urgency = (ends: Float64Array) =>
    priorities.reduce((sum, priority, task) => sum + (ends[task] as number) * (priority / greatest), 0);
  for (const influence of INFLUENCES) {
    for (const [task, priority] of priorities.entries()) {
      const delay = ((ranks.get(priority) as number) / (ranks.size - 1)) * influence * makespan;
      const start = (ends[task] as number) - (instance.duration[task] as number);
      keys[task] = Math.round(start + delay);
    }
    generate(keys, changed);
    const cost = costOf(instance, changed);
    if (cost <= solution.cost && urgency(changed) < urgency(ends)) return { ends: changed, cost };
  }
  return solution;
}

import { type Clock, systemClock } from "../../system/clock.ts";
import type { PlanInput } from "./contract.ts";
import { projectOf } from "./project.ts";
import { type Plan, reportOf } from "./report.ts";
import { countedBudget, timedBudget } from "./solving/budget.ts";
import { earliest, startsOf } from "./solving/constrained-generation.ts";
import { costOf, createForwardBackward } from "./solving/forward-backward.ts";
import { lowerBound } from "./solving/lower-bound.ts";
import { preferUrgent, solve } from "./solving/solve.ts";
import { inUnits } from "./solving/units.ts";

/** Plans a project. The clock only ends a search that is limited by time. */
export function plan(input: PlanInput, clock: Pick<Clock, "monotonic"> = systemClock): Plan {
  const { iterations, timeBudgetMs, seed } = input;
  const begin = clock.monotonic();
  const project = projectOf(input);
  const { tasks } = project;
  const { instance, unit } = inUnits(project.instance);
  const bound = lowerBound(instance);
  const method = createForwardBackward(instance);
  // A lower bound: some tasks may miss deadlines even if all end as early as their predecessors allow.
  const leastCost = costOf(instance, earliest(instance).ends, bound);
  // The report takes about as long as the preparation of the search.
  const searchMs = timeBudgetMs - 2 * (clock.monotonic() - begin);
  const budget = iterations === undefined ? timedBudget(searchMs, clock) : countedBudget(iterations);
  const found = solve(instance, method, { bound: leastCost, budget, seed });
  const priorities = tasks.map(({ priority }) => priority);
  const { ends: schedule } = preferUrgent(instance, method, found, priorities);
  const inMs = (times: Float64Array) => times.map((time) => time * unit);
  return reportOf(project, input, {
    starts: inMs(startsOf(instance, schedule)),
    ends: inMs(schedule.subarray(0, instance.size)),
    ways: schedule.subarray(instance.size),
    slack: inMs(method.slack(schedule)),
    bound: bound * unit,
    iterations: budget.spent,
  });
}

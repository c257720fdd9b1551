import { type Clock, systemClock } from "../../system/clock.ts";
import { type PlanInput, projectOf } from "./project.ts";
import { type Plan, reportOf } from "./report.ts";
import { countedBudget, timedBudget } from "./solving/budget.ts";
import { costOf, createForwardBackward } from "./solving/forward-backward.ts";
import { heads } from "./solving/instance.ts";
import { lowerBound } from "./solving/lower-bound.ts";
import { preferUrgent, solve } from "./solving/solve.ts";
import { inUnits } from "./solving/units.ts";

/** Plans a project; the clock ends a search that is limited by time, and decides nothing else. */
export function plan(input: PlanInput, clock: Pick<Clock, "monotonic"> = systemClock): Plan {
  const { iterations, timeBudgetMs, seed } = input;
  const budget = iterations === undefined ? timedBudget(timeBudgetMs, clock) : countedBudget(iterations);
  const project = projectOf(input);
  const { tasks } = project;
  const { instance, unit } = inUnits(project.instance);
  const bound = lowerBound(instance);
  const method = createForwardBackward(instance);
  // If every task ended as early as its predecessors allow, some would still miss their deadlines.
  const earliest = heads(instance).map((head, task) => head + (instance.duration[task] as number));
  const leastCost = costOf(instance, earliest, bound);
  const found = solve(instance, method, { bound: leastCost, budget, seed });
  const priorities = tasks.map(({ priority }) => priority);
  const { ends } = preferUrgent(instance, method, found, priorities);
  const inMs = (times: Float64Array) => times.map((time) => time * unit);
  const times = { ends: inMs(ends), slack: inMs(method.slack(ends)), bound: bound * unit };
  return reportOf(project, input, { ...times, iterations: budget.spent });
}

import { Problem } from "../../contract/problem.ts";
import { createPlanCalendars, type PlanCalendars } from "./calendar/plan-calendars.ts";
import { constraintsOf, type Dependency } from "./constraints-of.ts";
import type { PlanInput, Task } from "./contract.ts";
import { adjacency, demandOf, type Instance } from "./solving/instance.ts";
import { topologicalOrder } from "./topological-order.ts";
import { commonOf, feasible, scarceResources, unitsRow, waysOf } from "./ways.ts";

/** A project to plan, as it was sent and in numbers. */
export interface Project {
  /** Ordered by their numbers in the instance. */
  tasks: readonly Task[];
  /** Numbers of the tasks, in the order in which they were sent. */
  sent: readonly number[];
  /** For each task, the numbers of the tasks that it depends on. */
  dependencies: readonly (readonly number[])[];
  instance: Instance;
  calendars?: PlanCalendars | undefined;
}

/**
 * Converts a request to a project. Throws `Problem` `unknown_dependency`, `dependency_cycle`, or
 * `unprocessable` for a task that cannot run.
 */
export function projectOf({ tasks, capacity, workers, calendar }: PlanInput): Project {
  const indexes = new Map(tasks.map(({ id }, index) => [id, index]));
  const rows = tasks.map((task) => dependenciesOf(task));
  const { order, cycle } = topologicalOrder(rows.map((row) => row.map(({ before }) => before)));
  if (cycle) {
    const ids = cycle.map((index) => (tasks[index] as Task).id);
    const [first] = ids;
    throw new Problem(
      "dependency_cycle",
      `The tasks depend on each other in a circle: ${shown([...ids, first as string])}. Remove one of these dependencies.`,
      { members: { cycle: ids } },
    );
  }
  const numbers = new Array<number>(tasks.length);
  for (const [number, index] of order.entries()) numbers[index] = number;
  const calendars = calendar && createPlanCalendars(calendar);
  const sorted = order.map((index) => feasible(tasks[index] as Task, capacity, calendars));
  const dependencies = order.map((index) =>
    (rows[index] as Dependency[]).map((each) => ({ ...each, before: numbers[each.before] as number })),
  );
  return {
    tasks: sorted,
    sent: numbers,
    dependencies: dependencies.map((row) => row.map(({ before }) => before)),
    instance: instanceOf(sorted, dependencies, calendars),
    calendars,
  };

  function dependenciesOf({ id, dependsOn, dependsOnStart, lagMs }: Task): Dependency[] {
    const lagOf = (other: string) => (Object.hasOwn(lagMs, other) ? (lagMs[other] as number) : 0);
    return [
      ...Array.from(new Set(dependsOn), (other) => {
        const before = indexOf(id, other);
        // However large the overlap, a task does not start before the one that it depends on.
        const lag = Math.max(lagOf(other), -(tasks[before] as Task).durationMs);
        return { before, lag, fromStart: false };
      }),
      ...Array.from(new Set(dependsOnStart), (other) => {
        return { before: indexOf(id, other), lag: Math.max(0, lagOf(other)), fromStart: true };
      }),
    ];
  }

  function indexOf(id: string, other: string): number {
    const index = indexes.get(other);
    if (index !== undefined) return index;
    throw new Problem(
      "unknown_dependency",
      `"${id}" depends on "${other}", which is not among the tasks. Add it or remove the dependency.`,
      { members: { task: id, dependency: other } },
    );
  }

  function instanceOf(
    tasks: readonly Task[],
    dependencies: readonly (readonly Dependency[])[],
    calendars: PlanCalendars | undefined,
  ): Instance {
    const successors: number[][] = tasks.map(() => []);
    for (const [task, row] of dependencies.entries())
      for (const { before } of row) successors[before]?.push(task);
    const scarce = scarceResources(tasks, capacity, workers);
    const constraints = constraintsOf({ tasks, dependencies, scarce, calendars });
    const timeOf = (local: string | undefined, ms: number | undefined, isEnd = false) =>
      local === undefined ? ms : calendars && Math.max(0, calendars.timeOf(local, isEnd));
    const planned = tasks.map((task) => timeOf(task.start, task.startMs));
    const release = Float64Array.from(tasks, (task, at) =>
      Math.max(0, planned[at] ?? 0, timeOf(task.earliestStart, task.earliestStartMs) ?? 0),
    );
    const deadline = Float64Array.from(tasks, (task, at) => {
      const asked = timeOf(task.deadline, task.deadlineMs, true) ?? Number.POSITIVE_INFINITY;
      const start = planned[at];
      if (start === undefined) return asked;
      const calendar =
        task.durationMs > 0 ? constraints?.calendar[constraints.firstWay[at] as number] : undefined;
      return Math.min(asked, calendar ? calendar.end(start, task.durationMs) : start + task.durationMs);
    });
    return {
      size: tasks.length,
      duration: Float64Array.from(tasks, ({ durationMs }) => durationMs),
      release,
      deadline,
      predecessors: adjacency(dependencies.map((row) => row.map(({ before }) => before))),
      successors: adjacency(successors),
      capacity: Int32Array.from(scarce, ({ capacity }) => capacity),
      demand: demandOf(tasks.map((task) => unitsRow(task, commonOf(waysOf(task)), scarce))),
      constraints,
    };
  }
}

const MAX_SHOWN = 10;

function shown(ids: readonly string[]): string {
  const quoted = ids.map((id) => `"${id}"`);
  if (ids.length <= MAX_SHOWN) return quoted.join(" → ");
  return [...quoted.slice(0, MAX_SHOWN - 2), "…", quoted.at(-1)].join(" → ");
}

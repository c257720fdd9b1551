import type { Output } from "../../contract/endpoint.ts";
import type { PlanInput, schedulerContract, Task } from "./contract.ts";
import { criticalPath } from "./critical-path.ts";
import type { Project } from "./project.ts";
import { unitsOf, waysOf } from "./ways.ts";
import { assignWorkers } from "./workers.ts";

export type Plan = Output<typeof schedulerContract.plan>;

interface Times {
  starts: Float64Array;
  ends: Float64Array;
  /** The alternative of each task, by index; empty without constraints. */
  ways: Float64Array;
  slack: Float64Array;
  bound: number;
  iterations: number;
}

/** Returns the API's answer for a plan. */
export function reportOf(
  project: Project,
  { capacity, workers }: Pick<PlanInput, "capacity" | "workers">,
  { starts, ends, ways, slack, bound, iterations }: Times,
): Plan {
  const { tasks, sent, dependencies, calendars } = project;
  const startOf = (task: number) => starts[task] as number;
  const holds = tasks.map((task, at) => waysOf(task)[ways[at] ?? 0] as Task["resources"]);
  const idOf = (task: number) => (tasks[task] as Task).id;
  const makespan = ends.reduce((most, end) => Math.max(most, end), 0);
  const byStart = tasks
    .map((_, task) => task)
    .sort((left, right) => startOf(left) - startOf(right) || left - right);
  const workerOf = workers === undefined ? undefined : assignWorkers(byStart, startOf, ends);
  const share = (unitsOf: (task: number) => number, units: number, resources: string[]) => {
    const total = tasks.reduce((sum, { durationMs }, task) => sum + durationMs * unitsOf(task), 0);
    // A resource without hours is used by no task, and its calendar has no end to look for.
    if (total === 0) return 0;
    const calendar = calendars?.of(resources);
    const time = calendar ? calendar.openUntil(makespan) : makespan;
    return time > 0 && units > 0 ? total / (units * time) : 0;
  };
  const planned = tasks.map(({ start, startMs }) =>
    start === undefined ? startMs : calendars?.timeOf(start),
  );
  /** A start that is a date is missed by a start on a later one. */
  const isMissed = (task: number) => {
    const { start } = tasks[task] as Task;
    const isDate = start !== undefined && !start.includes("T");
    if (isDate) return startOf(task) >= (calendars?.timeOf(start, true) as number);
    return startOf(task) > (planned[task] ?? Number.POSITIVE_INFINITY);
  };
  return {
    schedule: sent.map((task) => ({
      id: idOf(task),
      startMs: startOf(task),
      endMs: ends[task] as number,
      ...(calendars && {
        start: calendars.textOf(startOf(task)),
        end: calendars.textOf(ends[task] as number),
      }),
      ...((tasks[task] as Task).anyOf.length > 0 && {
        uses: (tasks[task] as Task).anyOf[ways[task] as number],
      }),
      ...(workerOf?.[task] !== undefined && { worker: workerOf[task] }),
      slackMs: slack[task] as number,
      critical: slack[task] === 0,
    })),
    order: byStart.map(idOf),
    waves: wavesOf(dependencies).map((wave) => wave.map(idOf)),
    criticalPath: criticalPath(project, { byStart, starts, ends, ways }, competes).map(idOf),
    makespanMs: makespan,
    lowerBoundMs: bound,
    gap: bound > 0 ? makespan / bound - 1 : 0,
    iterations,
    utilisation: {
      workers: workers === undefined ? null : share(() => 1, workers, []),
      resources: Object.fromEntries(
        Object.entries(capacity).map(([name, units]) => [
          name,
          share((task) => unitsOf(holds[task] as Task["resources"], name), units, [name]),
        ]),
      ),
    },
    ...(calendars && { end: calendars.textOf(makespan) }),
    ...(planned.some((start) => start !== undefined) && {
      missedStarts: byStart.flatMap((task) => {
        const plannedMs = planned[task];
        const startMs = startOf(task);
        const { id } = tasks[task] as Task;
        return plannedMs !== undefined && isMissed(task) ? [{ id, plannedMs, startMs }] : [];
      }),
    }),
    missedDeadlines: byStart.flatMap((task) => {
      const { id, deadline } = tasks[task] as Task;
      const deadlineMs =
        deadline === undefined ? (tasks[task] as Task).deadlineMs : calendars?.timeOf(deadline, true);
      const endMs = ends[task] as number;
      return deadlineMs !== undefined && endMs > deadlineMs ? [{ id, deadlineMs, endMs }] : [];
    }),
  };

  function competes(left: number, right: number): boolean {
    const [one, other] = [tasks[left] as Task, tasks[right] as Task];
    if (one.durationMs === 0 || other.durationMs === 0) return false;
    const shared = Object.keys(capacity).some((name) =>
      [left, right].every((task) => unitsOf(holds[task] as Task["resources"], name) > 0),
    );
    return shared || workers !== undefined;
  }
}

/** Groups tasks by depth: a task's wave comes after the last wave of its dependencies. */
function wavesOf(dependencies: readonly (readonly number[])[]): number[][] {
  const waves: number[][] = [];
  const depths: number[] = [];
  for (const [task, before] of dependencies.entries()) {
    const depth = before.reduce((most, other) => Math.max(most, (depths[other] as number) + 1), 0);
    depths.push(depth);
    waves[depth] ??= [];
    waves[depth].push(task);
  }
  return waves;
}

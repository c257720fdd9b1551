import type { Output } from "../../contract/endpoint.ts";
import type { schedulerContract } from "./contract.ts";
import type { PlanInput, Project, Task } from "./project.ts";
import { assignWorkers } from "./workers.ts";

export type Plan = Output<typeof schedulerContract.plan>;

/** What is said about a plan, given the end and the slack of each task. */
export function reportOf(
  { tasks, sent, dependencies }: Project,
  { capacity, workers }: Pick<PlanInput, "capacity" | "workers">,
  {
    ends,
    slack,
    bound,
    iterations,
  }: { ends: Float64Array; slack: Float64Array; bound: number; iterations: number },
): Plan {
  const startOf = (task: number) => (ends[task] as number) - (tasks[task] as Task).durationMs;
  const idOf = (task: number) => (tasks[task] as Task).id;
  const makespan = ends.reduce((most, end) => Math.max(most, end), 0);
  const byStart = tasks
    .map((_, task) => task)
    .sort((left, right) => startOf(left) - startOf(right) || left - right);
  const workerOf = workers === undefined ? undefined : assignWorkers(byStart, startOf, ends);
  const share = (work: (task: Task) => number, units: number) => {
    const total = tasks.reduce((sum, task) => sum + task.durationMs * work(task), 0);
    return makespan > 0 && units > 0 ? total / (units * makespan) : 0;
  };
  return {
    schedule: sent.map((task) => ({
      id: idOf(task),
      startMs: startOf(task),
      endMs: ends[task] as number,
      ...(workerOf?.[task] !== undefined && { worker: workerOf[task] }),
      slackMs: slack[task] as number,
      critical: slack[task] === 0,
    })),
    order: byStart.map(idOf),
    waves: wavesOf(dependencies).map((wave) => wave.map(idOf)),
    criticalPath: criticalPath().map(idOf),
    makespanMs: makespan,
    lowerBoundMs: bound,
    gap: bound > 0 ? makespan / bound - 1 : 0,
    iterations,
    utilisation: {
      workers: workers === undefined ? null : share(() => 1, workers),
      resources: Object.fromEntries(
        Object.entries(capacity).map(([name, units]) => [name, share((task) => unitsOf(task, name), units)]),
      ),
    },
    missedDeadlines: byStart.flatMap((task) => {
      const { id, deadlineMs } = tasks[task] as Task;
      const endMs = ends[task] as number;
      return deadlineMs !== undefined && endMs > deadlineMs ? [{ id, deadlineMs, endMs }] : [];
    }),
  };

  /** From the last end backwards: what a task waited for until it started, a dependency sooner than a resource. */
  function criticalPath(): number[] {
    const endingAt = new Map<number, number[]>();
    for (const task of byStart) {
      const end = ends[task] as number;
      const known = endingAt.get(end);
      if (known) known.push(task);
      else endingAt.set(end, [task]);
    }
    const path: number[] = [];
    let at = endingAt.get(makespan)?.at(-1);
    while (at !== undefined) {
      path.push(at);
      const task: number = at;
      const start = startOf(task);
      at =
        dependencies[task]?.find((other) => ends[other] === start) ??
        endingAt.get(start)?.find((other) => startOf(other) < start && competes(other, task));
    }
    return path.reverse();
  }

  function competes(left: number, right: number): boolean {
    const [one, other] = [tasks[left] as Task, tasks[right] as Task];
    if (one.durationMs === 0 || other.durationMs === 0) return false;
    const shared = Object.keys(capacity).some((name) => unitsOf(one, name) > 0 && unitsOf(other, name) > 0);
    return shared || workers !== undefined;
  }
}

function unitsOf({ resources }: Task, name: string): number {
  return Object.hasOwn(resources, name) ? (resources[name] as number) : 0;
}

/** By depth: a task's wave is the one behind the last of what it depends on. */
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

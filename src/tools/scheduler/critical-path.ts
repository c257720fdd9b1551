import { firstIndex } from "../../system/binary-search.ts";
import type { Task } from "./contract.ts";
import type { Project } from "./project.ts";

/**
 * Returns the critical path. Follows it backwards from the last end, from each task to what it waited for
 * until it started, with no working time in between. Dependencies are preferred to resources.
 */
export function criticalPath(
  { tasks, dependencies, instance }: Pick<Project, "tasks" | "dependencies" | "instance">,
  {
    byStart,
    starts,
    ends,
    ways,
  }: { byStart: readonly number[]; starts: Float64Array; ends: Float64Array; ways: Float64Array },
  competes: (left: number, right: number) => boolean,
): number[] {
  const { constraints, predecessors } = instance;
  const endingAt = new Map<number, number[]>();
  for (const task of byStart) {
    const end = ends[task] as number;
    const known = endingAt.get(end);
    if (known) known.push(task);
    else endingAt.set(end, [task]);
  }
  const instants = [...endingAt.keys()].sort((left, right) => left - right);
  const path: number[] = [];
  const seen = new Set<number>();
  let at = endingAt.get(instants.at(-1) ?? 0)?.at(-1);
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    path.push(at);
    at = dependencyOf(at) ?? rivalOf(at);
  }
  return path.reverse();

  function dependencyOf(task: number): number | undefined {
    const first = predecessors.offsets[task] as number;
    return dependencies[task]?.find((other, index) => {
      const from = (constraints?.fromStart[first + index] === 1 ? starts[other] : ends[other]) as number;
      return isBoundBy(task, from + (constraints?.lag[first + index] ?? 0));
    });
  }

  function rivalOf(task: number): number | undefined {
    const start = starts[task] as number;
    for (let index = lastUpTo(start); index >= 0 && isBoundBy(task, instants[index] as number); index--) {
      const rival = endingAt
        .get(instants[index] as number)
        ?.find((other) => (starts[other] as number) < start && competes(other, task));
      if (rival !== undefined) return rival;
    }
    return undefined;
  }

  /** Whether a task that may start at `instant` can start no sooner than it does. */
  function isBoundBy(task: number, instant: number): boolean {
    const { durationMs, interruptible } = tasks[task] as Task;
    const calendar =
      durationMs === 0
        ? undefined
        : constraints?.calendar[(constraints.firstWay[task] as number) + (ways[task] as number)];
    const start = calendar ? calendar.start(Math.max(0, instant), durationMs, !interruptible) : instant;
    return start === starts[task];
  }

  function lastUpTo(instant: number): number {
    return firstIndex(instants, (each) => each > instant) - 1;
  }
}

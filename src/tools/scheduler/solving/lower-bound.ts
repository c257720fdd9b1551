import type { Calendar } from "../calendar/calendar.ts";
import { earliest } from "./constrained-generation.ts";
import { type Instance, tails } from "./instance.ts";
import { type Pool, poolsOf } from "./pools.ts";

/** Maximum number of earliest starts that are tried for a pool. If there are more, they are sampled evenly. */
const MAX_THRESHOLDS = 256;
/** Maximum number of steps to the instant at which a pool has had the hours for its work. */
const MAX_STEPS = 10_000;

interface Work {
  head: number;
  tail: number;
  work: number;
}

/**
 * Returns a length that no schedule of whole times is below: that of the longest chain of tasks or, for a
 * pool of resources, the work of those tasks that can neither start before some instant nor end within some
 * time of the end, at full use in between.
 */
export function lowerBound(instance: Instance): number {
  const { duration, constraints } = instance;
  const { starts: head, ends } = earliest(instance);
  const tail = tails(instance);
  let bound = ends.reduce((most, end) => Math.max(most, end), 0);
  for (const { members, tasks } of poolsOf(instance)) {
    const works = tasks.map(({ task, units }) => ({
      head: head[task] as number,
      tail: tail[task] as number,
      work: (duration[task] as number) * units,
    }));
    const capacity = members.reduce((sum, each) => sum + each.capacity, 0);
    bound = Math.max(bound, workBound(works, capacity));
    if (constraints) bound = Math.max(bound, hoursBound(works, members, constraints.open));
  }
  return Math.ceil(bound);
}

function workBound(tasks: Work[], capacity: number): number {
  const byTail = tasks.toSorted((left, right) => right.tail - left.tail);
  const starts = [...new Set(tasks.map(({ head }) => head))].sort((left, right) => left - right);
  const every = Math.ceil(starts.length / MAX_THRESHOLDS);
  let bound = 0;
  for (let index = 0; index < starts.length; index += every) {
    const start = starts[index] as number;
    let work = 0;
    for (const task of byTail) {
      if (task.head < start) continue;
      work += task.work;
      bound = Math.max(bound, start + work / capacity + task.tail);
    }
  }
  return bound;
}

/**
 * Returns the first instant at which the members have been open for as long as all work takes. Each step goes
 * as far as the rest takes at least, so that none looks at hours beyond that instant.
 */
function hoursBound(
  tasks: readonly Work[],
  members: Pool["members"],
  open: readonly (Calendar | undefined)[],
): number {
  if (tasks.length === 0 || members.every(({ resource }) => !open[resource])) return 0;
  const first = tasks.reduce((least, { head }) => Math.min(least, head), Number.POSITIVE_INFINITY);
  const total = tasks.reduce((sum, { work }) => sum + work, 0);
  const capacity = members.reduce((sum, each) => sum + each.capacity, 0);
  const doneUntil = (instant: number) =>
    members.reduce((sum, { resource, capacity }) => {
      const calendar = open[resource];
      const time = calendar ? calendar.openUntil(instant) - calendar.openUntil(first) : instant - first;
      return sum + capacity * time;
    }, 0);
  let instant = first;
  for (let step = 0; step < MAX_STEPS; step++) {
    const rest = total - doneUntil(instant);
    if (rest <= 0) break;
    const next = members.reduce(
      (least, { resource }) => Math.min(least, open[resource]?.start(instant, 0, false) ?? instant),
      Number.POSITIVE_INFINITY,
    );
    instant = next + Math.ceil(rest / capacity);
  }
  return instant;
}

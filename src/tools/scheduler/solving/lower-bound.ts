import { earliest } from "./constrained-generation.ts";
import { type Instance, tails } from "./instance.ts";

/** Maximum number of earliest starts that are tried for a resource. If there are more, they are sampled evenly. */
const MAX_THRESHOLDS = 256;

/**
 * Returns a length that no schedule of whole times is below: that of the longest chain of tasks or, for a
 * resource, the work of those tasks that can neither start before some instant nor end within some time of
 * the end, at full use in between.
 */
export function lowerBound(instance: Instance): number {
  const { size, duration, capacity, demand } = instance;
  const { starts: head, ends } = earliest(instance);
  const tail = tails(instance);
  let bound = ends.reduce((most, end) => Math.max(most, end), 0);
  const takers: { head: number; tail: number; work: number }[][] = Array.from(capacity, () => []);
  for (let task = 0; task < size; task++) {
    for (let at = demand.offsets[task] as number; at < (demand.offsets[task + 1] as number); at++) {
      takers[demand.resources[at] as number]?.push({
        head: head[task] as number,
        tail: tail[task] as number,
        work: (duration[task] as number) * (demand.units[at] as number),
      });
    }
  }
  for (const [resource, tasks] of takers.entries()) {
    bound = Math.max(bound, workBound(tasks, capacity[resource] as number));
    const open = instance.constraints?.open[resource];
    if (!open || tasks.length === 0) continue;
    const work = tasks.reduce((sum, each) => sum + each.work, 0);
    const first = tasks.reduce((least, { head }) => Math.min(least, head), Number.POSITIVE_INFINITY);
    bound = Math.max(bound, open.end(first, Math.ceil(work / (capacity[resource] as number))));
  }
  return Math.ceil(bound);
}

function workBound(tasks: { head: number; tail: number; work: number }[], capacity: number): number {
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

import { createHeap } from "./solving/heap.ts";

/**
 * Assigns each task the free worker with the lowest number, from 1. Tasks of no duration get none.
 *
 * @param byStart task numbers in the order of their starts.
 */
export function assignWorkers(
  byStart: readonly number[],
  startOf: (task: number) => number,
  ends: Float64Array,
): (number | undefined)[] {
  const workers: (number | undefined)[] = new Array(ends.length).fill(undefined);
  const free = createHeap();
  const busy = createHeap();
  let count = 0;
  for (const task of byStart) {
    const start = startOf(task);
    if (start === ends[task]) continue;
    while (busy.leastKey() <= start) {
      const worker = busy.pop();
      free.push(worker, worker);
    }
    const worker = free.leastKey() < Number.POSITIVE_INFINITY ? free.pop() : ++count;
    workers[task] = worker;
    busy.push(worker, ends[task] as number);
  }
  return workers;
}

import { createHeap } from "./heap.ts";
import { type Instance, rowOf } from "./instance.ts";

/**
 * Parallel schedule generation: at each instant at which a task ends or is released, starts all eligible
 * tasks that have room, by ascending `rank`. No task waits that could run.
 */
export function generateParallel(instance: Instance, rank: Float64Array, ends: Float64Array): void {
  const { size, duration, predecessors, successors, capacity, demand } = instance;
  const { offsets, resources, units } = demand;
  const free = capacity.slice();
  const waitsFor = Int32Array.from({ length: size }, (_, task) => rowOf(predecessors, task).length);
  const ready = instance.release.slice();
  const running = new Uint8Array(size);
  /** Tasks by the time at which they may start, or end. */
  const events = createHeap();
  /** Tasks that may start now, by rank. */
  const eligible: number[] = [];
  const allTakeSomething = offsets.every(
    (offset, task) => task === 0 || offset > (offsets[task - 1] as number),
  );
  let now = 0;

  for (let task = 0; task < size; task++) {
    if (waitsFor[task] === 0) events.push(task, ready[task] as number);
  }
  for (let left = size; left > 0; left -= startEligible()) {
    now = events.leastKey();
    let arrived = 0;
    while (events.leastKey() === now) {
      const task = events.pop();
      if (running[task] === 1) {
        exchange(task, 1);
        finish(task);
      } else {
        eligible.push(task);
        arrived++;
      }
    }
    if (arrived > 0)
      eligible.sort((left, right) => (rank[left] as number) - (rank[right] as number) || left - right);
  }

  /** @returns how many it started. */
  function startEligible(): number {
    let waiting = 0;
    let position = 0;
    for (; position < eligible.length; position++) {
      if (allTakeSomething && free.every((units) => units === 0)) break;
      const task = eligible[position] as number;
      if (hasRoom(task)) start(task);
      else eligible[waiting++] = task;
    }
    eligible.splice(waiting, position - waiting);
    return position - waiting;
  }

  function start(task: number): void {
    ends[task] = now + (duration[task] as number);
    if (duration[task] === 0) {
      finish(task);
      return;
    }
    exchange(task, -1);
    running[task] = 1;
    events.push(task, ends[task] as number);
  }

  function finish(task: number): void {
    for (const after of rowOf(successors, task)) {
      ready[after] = Math.max(ready[after] as number, now);
      waitsFor[after] = (waitsFor[after] as number) - 1;
      if (waitsFor[after] === 0) events.push(after, ready[after] as number);
    }
  }

  function hasRoom(task: number): boolean {
    if (duration[task] === 0) return true;
    for (let at = offsets[task] as number; at < (offsets[task + 1] as number); at++) {
      if ((units[at] as number) > (free[resources[at] as number] as number)) return false;
    }
    return true;
  }

  function exchange(task: number, sign: 1 | -1): void {
    for (let at = offsets[task] as number; at < (offsets[task + 1] as number); at++) {
      const resource = resources[at] as number;
      free[resource] = (free[resource] as number) + sign * (units[at] as number);
    }
  }
}

import type { Instance } from "./instance.ts";

/** Writes the end of each task; `order` lists every task after its predecessors. */
export type Generation = (order: Int32Array, ends: Float64Array) => void;

/**
 * Serial schedule generation: places each task in turn, as early as predecessors, release and the tasks
 * placed so far allow.
 *
 * The use of the resources over time is a linked list of steps, so durations may have any size. A step lasts
 * from its time to that of the next; the last one, without end, is empty. A step at or before its end is
 * stored for every task, where the search for its successors' place begins.
 */
export function createSerialGeneration(instance: Instance): Generation {
  const { size, duration, release, predecessors, capacity, demand } = instance;
  const { offsets: beforeOffsets, targets: before } = predecessors;
  const { offsets: demandOffsets, resources, units, kind } = demand;
  const width = capacity.length;
  const time = new Float64Array(2 * size + 1);
  const next = new Int32Array(2 * size + 1);
  const used = new Int32Array((2 * size + 1) * width);
  const stepOf = new Int32Array(size);
  /** By kind of demand, a step before which there is no room for it, and will be none. */
  const first = new Int32Array(size);
  let steps = 0;

  function hasRoom(step: number, task: number): boolean {
    const base = step * width;
    const end = demandOffsets[task + 1] as number;
    for (let at = demandOffsets[task] as number; at < end; at++) {
      const resource = resources[at] as number;
      if ((used[base + resource] as number) + (units[at] as number) > (capacity[resource] as number)) {
        return false;
      }
    }
    return true;
  }

  /** Inserts a step at `at` after `step`, with the same use. */
  function split(step: number, at: number): number {
    const made = steps++;
    time[made] = at;
    next[made] = next[step] as number;
    next[step] = made;
    const [from, to] = [step * width, made * width];
    for (let resource = 0; resource < width; resource++) {
      used[to + resource] = used[from + resource] as number;
    }
    return made;
  }

  function take(step: number, task: number): void {
    const base = step * width;
    const end = demandOffsets[task + 1] as number;
    for (let at = demandOffsets[task] as number; at < end; at++) {
      const resource = base + (resources[at] as number);
      used[resource] = (used[resource] as number) + (units[at] as number);
    }
  }

  /** @returns the end of the task, which starts at `ready` or later; `step` is at or before `ready`. */
  function place(task: number, step: number, ready: number): number {
    let start = ready;
    let open = first[kind[task] as number] as number;
    while (!hasRoom(open, task)) open = next[open] as number;
    first[kind[task] as number] = open;
    let from = step;
    if ((time[open] as number) > start) {
      from = open;
      start = time[open] as number;
    }
    for (let after = next[from] as number; after >= 0 && (time[after] as number) <= start; ) {
      from = after;
      after = next[after] as number;
    }
    const length = duration[task] as number;
    let last = from;
    for (;;) {
      const after = next[last] as number;
      if (!hasRoom(last, task)) {
        // There is a next step, since the last one is empty.
        from = after;
        last = after;
        start = time[after] as number;
        continue;
      }
      if (after < 0 || (time[after] as number) >= start + length) break;
      last = after;
    }
    const end = start + length;
    if ((time[from] as number) < start) {
      const made = split(from, start);
      if (last === from) last = made;
      from = made;
    }
    const behind = next[last] as number;
    const stop = behind >= 0 && time[behind] === end ? behind : split(last, end);
    for (let at = from; at !== stop; at = next[at] as number) take(at, task);
    stepOf[task] = stop;
    return end;
  }

  return (order, ends) => {
    steps = 1;
    next[0] = -1;
    used.fill(0, 0, width);
    first.fill(0);
    for (let position = 0; position < size; position++) {
      const task = order[position] as number;
      let ready = release[task] as number;
      let step = 0;
      let latest = 0;
      for (let at = beforeOffsets[task] as number; at < (beforeOffsets[task + 1] as number); at++) {
        const other = before[at] as number;
        const end = ends[other] as number;
        if (end > latest) {
          latest = end;
          step = stepOf[other] as number;
        }
      }
      if (latest > ready) ready = latest;
      const free = demandOffsets[task] === demandOffsets[task + 1] || duration[task] === 0;
      if (free) stepOf[task] = step;
      ends[task] = free ? ready + (duration[task] as number) : place(task, step, ready);
    }
  };
}

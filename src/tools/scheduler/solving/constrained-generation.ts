import { type Constraints, type Instance, rowOf } from "./instance.ts";

/** How the way of each task is chosen. */
export interface Choice {
  /** True keeps the ways that the schedule has; false takes the ones that end first. */
  keepsWays: boolean;
  /** If time runs backwards, the instant that it starts from. */
  origin: number;
}

/**
 * Serial schedule generation for projects with calendars, lags and alternatives: places each task in turn, in
 * the way in which it ends first. A task holds its resources from its start to its end, also during pauses.
 *
 * Writes the end of each task and, after all ends, the way of each.
 */
export function createConstrainedGeneration(instance: Instance, constraints: Constraints) {
  const { size, duration, release, predecessors, capacity } = instance;
  const { lag, fromStart, firstWay, wayCount, demand, calendar, whole, isMirrored } = constraints;
  const starts = new Float64Array(size);
  /** Instants at which the use of resources changes, in order. */
  let times: number[] = [];
  /** The use of resources from each of these instants on. */
  let uses: Int32Array[] = [];
  /** By kind of demand, an instant before which there is no room for it, and will be none. */
  const first = new Float64Array(demand.kind.reduce((most, each) => Math.max(most, each), 0) + 1);
  let origin = 0;

  function startOf(way: number, task: number, ready: number): number {
    const each = calendar[way];
    const work = duration[task] as number;
    if (!each || work === 0) return ready;
    if (isMirrored) return origin - each.latestEnd(origin - ready, work, whole[task] === 1);
    return each.start(ready, work, whole[task] === 1);
  }

  function endOf(way: number, task: number, start: number): number {
    const each = calendar[way];
    const work = duration[task] as number;
    if (!each || work === 0) return start + work;
    return isMirrored ? origin - each.beginning(origin - start, work) : each.end(start, work);
  }

  function hasRoom(step: number, way: number): boolean {
    const used = uses[step] as Int32Array;
    for (let at = demand.offsets[way] as number; at < (demand.offsets[way + 1] as number); at++) {
      const resource = demand.resources[at] as number;
      if ((used[resource] as number) + (demand.units[at] as number) > (capacity[resource] as number))
        return false;
    }
    return true;
  }

  /** Returns the step that contains an instant. */
  function stepAt(instant: number): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((times[middle] as number) <= instant) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  function openFrom(way: number): number {
    const kind = demand.kind[way] as number;
    const open = times[nextWithRoom(stepAt(first[kind] as number), way)] as number;
    first[kind] = open;
    return open;
  }

  /** Returns the next step with room. There is one, since the last step is empty. */
  function nextWithRoom(step: number, way: number): number {
    let next = step;
    while (!hasRoom(next, way)) next++;
    return next;
  }

  /** Returns the first start from `ready` on at which a way has room until its end. */
  function place(way: number, task: number, ready: number): { start: number; end: number } {
    const takesNothing = demand.offsets[way] === demand.offsets[way + 1] || duration[task] === 0;
    let start = startOf(way, task, takesNothing ? ready : Math.max(ready, openFrom(way)));
    let end = endOf(way, task, start);
    if (takesNothing) return { start, end };
    for (let step = stepAt(start); step < times.length && (times[step] as number) < end; step++) {
      if (hasRoom(step, way)) continue;
      start = startOf(way, task, times[nextWithRoom(step, way)] as number);
      end = endOf(way, task, start);
      step = stepAt(start) - 1;
    }
    return { start, end };
  }

  /** @returns the step that begins at an instant. */
  function split(instant: number): number {
    const step = stepAt(instant);
    if (times[step] === instant) return step;
    times.splice(step + 1, 0, instant);
    uses.splice(step + 1, 0, (uses[step] as Int32Array).slice());
    return step + 1;
  }

  function take(way: number, start: number, end: number): void {
    const first = split(start);
    const last = split(end);
    for (let step = first; step < last; step++) {
      const used = uses[step] as Int32Array;
      for (let at = demand.offsets[way] as number; at < (demand.offsets[way + 1] as number); at++) {
        const resource = demand.resources[at] as number;
        used[resource] = (used[resource] as number) + (demand.units[at] as number);
      }
    }
  }

  function readyAt(task: number, ends: Float64Array): number {
    let ready = release[task] as number;
    for (
      let at = predecessors.offsets[task] as number;
      at < (predecessors.offsets[task + 1] as number);
      at++
    ) {
      const other = predecessors.targets[at] as number;
      const from = (fromStart[at] === 1 ? starts[other] : ends[other]) as number;
      ready = Math.max(ready, from + (lag[at] as number));
    }
    return ready;
  }

  return (order: Int32Array, ends: Float64Array, choice: Choice): void => {
    origin = choice.origin;
    first.fill(0);
    times = [0];
    uses = [new Int32Array(capacity.length)];
    for (const task of order) {
      const ready = readyAt(task, ends);
      const firstOf = firstWay[task] as number;
      let best = choice.keepsWays ? firstOf + (ends[size + task] as number) : firstOf;
      let { start, end } = place(best, task, ready);
      const behind = choice.keepsWays ? best : firstOf + (wayCount[task] as number);
      for (let way = firstOf + 1; way < behind; way++) {
        const other = place(way, task, ready);
        if (other.end >= end) continue;
        best = way;
        ({ start, end } = other);
      }
      if (demand.offsets[best] !== demand.offsets[best + 1]) take(best, start, end);
      starts[task] = start;
      ends[task] = end;
      ends[size + task] = best - firstOf;
    }
  };
}

/** Returns the start of each task of a schedule. */
export function startsOf({ size, duration, constraints }: Instance, schedule: Float64Array): Float64Array {
  return duration.map((work, task) => {
    const end = schedule[task] as number;
    const way = constraints && (constraints.firstWay[task] as number) + (schedule[size + task] as number);
    const calendar = way === undefined ? undefined : constraints?.calendar[way];
    return calendar && work > 0 ? calendar.beginning(end, work) : end - work;
  });
}

/** Returns the earliest start and end of each task by its predecessors, release and calendar alone. */
export function earliest(instance: Instance): { starts: Float64Array; ends: Float64Array } {
  const { duration, release, predecessors, constraints } = instance;
  const starts = release.slice();
  const ends = new Float64Array(release.length);
  for (const [task, work] of duration.entries()) {
    let ready = release[task] as number;
    for (const [index, before] of rowOf(predecessors, task).entries()) {
      const at = (predecessors.offsets[task] as number) + index;
      const from = (constraints?.fromStart[at] === 1 ? starts[before] : ends[before]) as number;
      ready = Math.max(ready, from + (constraints?.lag[at] ?? 0));
    }
    let [start, end] = [ready, ready + work];
    if (constraints && work > 0) {
      const first = constraints.firstWay[task] as number;
      const calendars = constraints.calendar.slice(first, first + (constraints.wayCount[task] as number));
      const each = calendars.map((calendar) => {
        const start = calendar ? calendar.start(ready, work, constraints.whole[task] === 1) : ready;
        return [start, calendar ? calendar.end(start, work) : start + work] as const;
      });
      start = Math.min(...each.map(([start]) => start));
      end = Math.min(...each.map(([, end]) => end));
    }
    starts[task] = start;
    ends[task] = end;
  }
  return { starts, ends };
}

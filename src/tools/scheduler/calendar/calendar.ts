import type { Stretch } from "./stretches.ts";

/** Working time, in milliseconds since the plan's start. All time before that is open. */
export interface Calendar {
  /** Returns the first instant from `ready` on at which work can begin. `whole` work must fit one stretch. */
  start(ready: number, work: number, whole: boolean): number;
  /** Returns the end of work that begins at an open instant. */
  end(start: number, work: number): number;
  /** Returns the last instant up to `limit` at which work can end. */
  latestEnd(limit: number, work: number, whole: boolean): number;
  /** Returns the beginning of work that ends at `end`. */
  beginning(end: number, work: number): number;
  /** Returns how much of the time from the plan's start until `instant` is open. */
  openUntil(instant: number): number;
}

const LONG_AGO = -1e15;

/** @param more returns the open stretches of one span of time after the other, and throws after the last span. */
export function createCalendar(more: (span: number) => readonly Stretch[]): Calendar {
  const from = [LONG_AGO];
  const to = [0];
  /** Open time up to the end of each stretch. */
  const total = [-LONG_AGO];
  let spans = 0;

  function extend(): void {
    for (const [begin, end] of more(spans++)) {
      const last = to.length - 1;
      if (begin === to[last]) {
        to[last] = end;
        total[last] = (total[last] as number) + end - begin;
      } else {
        from.push(begin);
        to.push(end);
        total.push((total[last] as number) + end - begin);
      }
    }
  }

  function knownUntil(values: number[], beyond: number): void {
    while ((values[values.length - 1] as number) <= beyond) extend();
  }

  function fits(at: number, instant: number, work: number): boolean {
    return (to[at] as number) - Math.max(instant, from[at] as number) >= work;
  }

  return {
    start(ready, work, whole) {
      knownUntil(to, ready);
      let at = firstAbove(to, ready);
      while (whole && !fits(at, ready, work)) {
        if (at + 1 < to.length) at++;
        else extend();
      }
      return Math.max(ready, from[at] as number);
    },
    end(start, work) {
      knownUntil(to, start);
      const at = firstAbove(to, start);
      const target = (total[at] as number) - (to[at] as number) + Math.max(start, from[at] as number) + work;
      knownUntil(total, target);
      // Work that ends with a stretch ends there, not where the next begins.
      const last = firstAbove(total, target - 1);
      return (to[last] as number) - (total[last] as number) + target;
    },
    latestEnd(limit, work, whole) {
      knownUntil(to, limit);
      let at = firstAbove(from, limit - 1) - 1;
      while (whole && Math.min(limit, to[at] as number) - (from[at] as number) < work) at--;
      return Math.min(limit, to[at] as number);
    },
    beginning(end, work) {
      const target = openAt(end) - work;
      const at = firstAbove(total, target);
      return (to[at] as number) - (total[at] as number) + target;
    },
    openUntil: (instant) => openAt(instant) + LONG_AGO,
  };

  function openAt(instant: number): number {
    knownUntil(to, instant);
    const at = firstAbove(from, instant - 1) - 1;
    return (total[at] as number) - (to[at] as number) + Math.min(instant, to[at] as number);
  }
}

/** Returns the first index whose value is greater. */
function firstAbove(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

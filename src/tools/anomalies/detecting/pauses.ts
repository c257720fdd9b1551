import { defined } from "../../../system/defined.ts";
import { expectationOf } from "./expectation.ts";
import type { Memory } from "./memory.ts";
import { createRecent } from "./recent.ts";

const HELD = 48;
/** Fewer intervals do not tell what is usual. */
const MIN_INTERVALS = 10;
/** A pause is missing data where it is so many times as long as is usual. */
const MISSING = 10;
/** Of what many of the last intervals were like, another one is nothing new. */
const USUAL_SHARE = 0.1;
/** Long pauses that are remembered. */
const REMEMBERED = 64;
/** Another of about the length at about the time of day is nothing new: nights, week-ends, working hours. */
const ABOUT = 1.25;
const SAME_TIME_MS = 90 * 60_000;
/** Within so many points of one that was new, others are no news: points come when they come. */
const QUIET_POINTS = 100;
const DAY_MS = 86_400_000;

export interface Pause {
  ms: number;
  /** The median of the intervals before. */
  usualMs: number;
  /** Where the longest was set. */
  allowedMs?: number;
  strangeness: number;
}

export interface Pauses {
  /** The next point belongs to another session. */
  begin(): void;
  /** The pause before a point, where that is strange. `at` in milliseconds, NaN where it is unknown. */
  before(at: number, allowedMs: number | undefined): Pause | undefined;
}

export function createPauses(memory: Memory): Pauses {
  const intervals = createRecent(memory, HELD);
  const lengths = createRecent(memory, REMEMBERED);
  /** The time of day at which each began. */
  const clocks = createRecent(memory, REMEMBERED);
  /** Until so many points were seen no pause is news. */
  const quietUntil = memory.take(1);
  let lastAt = Number.NaN;

  /** Whether it is long, unlike those at its time of day, and no other such was seen of late. */
  function isNews(ms: number, from: number): boolean {
    if (!isLong(ms)) return false;
    const clock = ((from % DAY_MS) + DAY_MS) % DAY_MS;
    const isDue = isKnownAt(clock, ms);
    lengths.push(ms);
    clocks.push(clock);
    if (isDue) return false;
    const place = intervals.seen();
    const isQuiet = place < (quietUntil[0] as number);
    quietUntil[0] = place + QUIET_POINTS;
    return !isQuiet;
  }

  function isKnownAt(clock: number, ms: number): boolean {
    for (let back = 0; back < lengths.count(); back++) {
      const ratio = ms / lengths.back(back);
      const apart = Math.abs(clock - clocks.back(back));
      const isAlike = ratio <= ABOUT && ratio >= 1 / ABOUT;
      if (isAlike && Math.min(apart, DAY_MS - apart) <= SAME_TIME_MS) return true;
    }
    return false;
  }

  function isLong(ms: number): boolean {
    const known = intervals.count();
    if (known < MIN_INTERVALS) return false;
    let alike = 0;
    for (let back = 0; back < known; back++) {
      if (ms <= MISSING * intervals.back(back) && ++alike > USUAL_SHARE * known) return false;
    }
    return true;
  }

  function pauseOf(ms: number, from: number, allowedMs: number | undefined): Pause | undefined {
    const news = isNews(ms, from);
    if (allowedMs === undefined ? !news : ms <= allowedMs) return undefined;
    const usualMs = intervals.count() > 0 ? expectationOf(intervals.values()).mid : ms;
    const strangeness = Math.max(1, ms / (MISSING * usualMs));
    return { ms, usualMs, strangeness, ...defined({ allowedMs }) };
  }

  return {
    begin() {
      lastAt = Number.NaN;
    },
    before(at, allowedMs) {
      const from = lastAt;
      const ms = at - from;
      if (!Number.isNaN(at)) lastAt = at;
      // Unknown, repeated, or running backwards.
      if (!(ms > 0)) return undefined;
      const pause = pauseOf(ms, from, allowedMs);
      intervals.push(ms);
      return pause;
    },
  };
}

import { defined } from "../../../system/defined.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../system/durations.ts";
import { expectationOf } from "./expectation.ts";
import type { Memory } from "./memory.ts";
import { createRecent } from "./recent.ts";

const HELD = 48;
/** Intervals needed to tell what is usual. */
const MIN_INTERVALS = 10;
/** A pause can be missing data if it is this many times as long as usual. */
const MISSING = 10;
/** A pause is usual if it is at most `MISSING` times as long as more than this share of the last intervals. */
const USUAL_SHARE = 0.1;
/**
 * A pause of hours can also be missing data if it is this many times as long as each of the last intervals: of a metric
 * that comes once an hour, half a working day may be missing.
 */
const BEYOND_ALL = 5;
const HOURS_LONG_MS = 4 * HOUR_MS;
/** Long pauses that are remembered. */
const REMEMBERED = 64;
/**
 * A pause is not new if one of similar length, up to this factor, began at a similar time of day: nights,
 * week-ends, working hours.
 */
const ABOUT = 1.25;
const SAME_TIME_MS = 90 * MINUTE_MS;
/** Points after a new pause within which no other one is reported, since points may just be irregular. */
const QUIET_POINTS = 100;

export interface Pause {
  ms: number;
  /** The median of the intervals before. */
  usualMs: number;
  /** The longest pause that was allowed by a setting. */
  allowedMs?: number;
  strangeness: number;
}

export interface Pauses {
  /** Starts another session with the next point. */
  begin(): void;
  /** Returns the pause before a point if it is strange. `at` is in milliseconds, NaN if unknown. */
  before(at: number, allowedMs: number | undefined): Pause | undefined;
}

export function createPauses(memory: Memory): Pauses {
  const intervals = createRecent(memory, HELD);
  const lengths = createRecent(memory, REMEMBERED);
  /** Times of day at which these pauses began, in milliseconds. */
  const clocks = createRecent(memory, REMEMBERED);
  /** Number of seen intervals up to which no pause is reported. */
  const quietUntil = memory.take(1);
  let lastAt = Number.NaN;

  /** Whether a pause is long, unlike others at its time of day, and no other such pause was recent. */
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
    if (ms >= HOURS_LONG_MS && known === HELD && isBeyondAll(ms)) return true;
    let alike = 0;
    for (let back = 0; back < known; back++) {
      if (ms <= MISSING * intervals.back(back) && ++alike > USUAL_SHARE * known) return false;
    }
    return true;
  }

  function isBeyondAll(ms: number): boolean {
    for (let back = 0; back < HELD; back++) if (ms < BEYOND_ALL * intervals.back(back)) return false;
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

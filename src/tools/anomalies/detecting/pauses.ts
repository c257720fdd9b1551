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
/** Another of about the length is nothing new within so many points, */
const RECENT_POINTS = 70;
/** or at about the time of day: nights, week-ends, working hours. */
const SAME_TIME_MS = 90 * 60_000;
const ABOUT = 1.25;
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
  /** When each began, by its time of day and by the points before it. */
  const clocks = createRecent(memory, REMEMBERED);
  const places = createRecent(memory, REMEMBERED);
  let lastAt = Number.NaN;

  /** Whether it is long, and none of about its length was seen of late or at its time of day. */
  function isNews(ms: number, from: number): boolean {
    if (!isLong(ms)) return false;
    const clock = ((from % DAY_MS) + DAY_MS) % DAY_MS;
    const place = intervals.seen();
    let known = false;
    for (let back = 0; back < lengths.count() && !known; back++) {
      const ratio = ms / lengths.back(back);
      if (ratio > ABOUT || ratio < 1 / ABOUT) continue;
      const apart = Math.abs(clock - clocks.back(back));
      known = place - places.back(back) <= RECENT_POINTS || Math.min(apart, DAY_MS - apart) <= SAME_TIME_MS;
    }
    lengths.push(ms);
    clocks.push(clock);
    places.push(place);
    return !known;
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

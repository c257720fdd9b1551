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
  let lastAt = Number.NaN;

  function isUnusual(ms: number): boolean {
    const known = intervals.count();
    if (known < MIN_INTERVALS) return false;
    let alike = 0;
    for (let back = 0; back < known; back++) {
      if (ms <= MISSING * intervals.back(back) && ++alike > USUAL_SHARE * known) return false;
    }
    return true;
  }

  function pauseOf(ms: number, allowedMs: number | undefined): Pause | undefined {
    if (allowedMs === undefined ? !isUnusual(ms) : ms <= allowedMs) return undefined;
    const usualMs = intervals.count() > 0 ? expectationOf(intervals.values()).mid : ms;
    const strangeness = Math.max(1, ms / (MISSING * usualMs));
    return { ms, usualMs, strangeness, ...(allowedMs !== undefined && { allowedMs }) };
  }

  return {
    begin() {
      lastAt = Number.NaN;
    },
    before(at, allowedMs) {
      const ms = at - lastAt;
      if (!Number.isNaN(at)) lastAt = at;
      // Unknown, repeated, or running backwards.
      if (!(ms > 0)) return undefined;
      const pause = pauseOf(ms, allowedMs);
      intervals.push(ms);
      return pause;
    },
  };
}

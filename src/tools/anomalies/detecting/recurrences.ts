import { type Expectation, expectationOf, isOneStepBeyond, sideOf } from "./expectation.ts";
import type { Memory } from "./memory.ts";
import type { SmallestStep } from "./smallest-step.ts";

/** Maximum number of reports that are remembered; the oldest is replaced. */
const REMEMBERED = 8;
/** A value at least this share of the way from the median to a reported value is the same event. */
const SAME = 0.5;
/** An earlier report covers a new one if its edge is at least this share of the new edge's distance from the median. */
const COVERED = 0.5;
/** Distance beyond the usual bounds, as a share of the range between them, from which an event is remembered. */
const BEYOND = 0.5;
/** Share of recent points that must be usual; with fewer, the reported event is still going on. */
const MIN_USUAL = 0.5;
/** Points outside an event after which it has ended. */
const GAP = 10;
/** Minimum number of points between events, on average, for a recurrence to be reported. */
const RARE = 320;
/** Points outside an event that must precede a reported recurrence. */
const AWAY = 70;

/** Fields of a remembered report. `EDGE` is where it begins; `SIDE` is 1 above the usual and -1 below. */
const [EDGE, SIDE, STRANGENESS, FIRST, LAST, TIMES] = [0, 1, 2, 3, 4, 5] as const;
const WIDTH = 6;

export interface Recurrences {
  /** Returns the strangeness of the reported event that a value begins anew, or 0. `held` returns the points before. */
  strangeness(value: number, held: () => Float64Array): number;
  /** Remembers that the value was reported, given what was `expected`. */
  report(value: number, strangeness: number, expected: Expectation): void;
}

/**
 * Keeps reported events from becoming normal: an outage is reported again, however often it came and however
 * well it is known by then. This applies to values far beyond the usual that are rare, not to those that come
 * every now and then, nor to a level that stays.
 */
export function createRecurrences(memory: Memory, smallestStep: SmallestStep): Recurrences {
  const [SEEN, REPORTS] = [0, 1] as const;
  const counters = memory.take(2);
  const reports = memory.take(REMEMBERED * WIDTH);

  function* places(): Generator<number> {
    const count = Math.min(counters[REPORTS] as number, REMEMBERED);
    for (let report = 0; report < count; report++) yield report * WIDTH;
  }

  function at(place: number, field: number): number {
    return reports[place + field] as number;
  }

  function isWithin(place: number, value: number): boolean {
    return at(place, SIDE) * (value - at(place, EDGE)) >= 0;
  }

  /** Counts a point of a reported event. Returns whether it is the first of a rare recurrence. */
  function isReturn(place: number, now: number): boolean {
    const away = now - at(place, LAST);
    reports[place + LAST] = now;
    if (away > GAP) reports[place + TIMES] = at(place, TIMES) + 1;
    return away > AWAY && now - at(place, FIRST) >= RARE * (at(place, TIMES) - 1);
  }

  function isBeyondUsual(place: number, value: number, held: Float64Array): boolean {
    const usual = held.filter((each) => !isWithin(place, each));
    if (usual.length < MIN_USUAL * held.length) return false;
    const expected = expectationOf(usual);
    return farSideOf(value, expected) !== 0 && !isOneStepBeyond(value, expected, smallestStep.get());
  }

  return {
    strangeness(value, held) {
      const now = (counters[SEEN] as number) + 1;
      counters[SEEN] = now;
      let strangest = 0;
      for (const place of places()) {
        if (!isWithin(place, value) || !isReturn(place, now)) continue;
        if (at(place, STRANGENESS) > strangest && isBeyondUsual(place, value, held())) {
          strangest = at(place, STRANGENESS);
        }
      }
      return strangest;
    },
    report(value, strangeness, expected) {
      const side = farSideOf(value, expected);
      if (side === 0) return;
      const height = SAME * (value - expected.mid);
      for (const place of places()) {
        const known = at(place, EDGE) - expected.mid;
        if (at(place, SIDE) !== side || !isWithin(place, value) || side * (known - COVERED * height) < 0)
          continue;
        reports[place + STRANGENESS] = Math.max(strangeness, at(place, STRANGENESS));
        return;
      }
      const now = counters[SEEN] as number;
      const place = ((counters[REPORTS] as number) % REMEMBERED) * WIDTH;
      reports.set([expected.mid + height, side, strangeness, now, now, 1], place);
      counters[REPORTS] = (counters[REPORTS] as number) + 1;
    },
  };
}

/** Returns 1 if a value is far above the usual, -1 if it is far below, and 0 otherwise. */
function farSideOf(value: number, expected: Expectation): -1 | 0 | 1 {
  return sideOf(value, expected, BEYOND * (expected.high - expected.low));
}

import { type Expectation, expectationOf, isOneStepBeyond, sideOf } from "./expectation.ts";
import type { Memory } from "./memory.ts";
import type { SmallestStep } from "./smallest-step.ts";

/** Reports of different heights; beyond that the oldest gives way. */
const REMEMBERED = 8;
/** What goes this share of the way from the median to a reported value is the same again. */
const SAME = 0.5;
/** A report is covered by an earlier one whose edge is no nearer to the median than this share of its own. */
const COVERED = 0.5;
/** So far beyond the usual bounds, as a share of what is between them, is told again. */
const BEYOND = 0.5;
/** Of the recent points, so many must have been usual: else what was reported still goes on. */
const MIN_USUAL = 0.5;
/** It ends with the last of its points before so many others; more often than every `RARE` points it is no news. */
const GAP = 10;
const RARE = 320;
/** The metric must have been free of it for so many points. */
const AWAY = 70;

/** What is remembered of a report. `EDGE` is where it begins, `SIDE` 1 above and -1 below the usual. */
const [EDGE, SIDE, STRANGENESS, FIRST, LAST, TIMES] = [0, 1, 2, 3, 4, 5] as const;
const WIDTH = 6;

export interface Recurrences {
  /** How strange what was reported was, where a value enters it anew; 0 elsewhere. `held` are the points before. */
  strangeness(value: number, held: () => Float64Array): number;
  /** That the same value was reported, where `expected` was usual. */
  report(value: number, strangeness: number, expected: Expectation): void;
}

/**
 * Keeps what was reported out of what is normal: however often an outage came, and however well it is known
 * by then, the next one is told again. What is far beyond the usual only rarely is such; what comes every now
 * and then, and a level that stays, are not.
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

  /** Counts a point within, and says whether it is the first of a rare return. */
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

/** 1 where a value is far above the usual, -1 far below. */
function farSideOf(value: number, expected: Expectation): -1 | 0 | 1 {
  return sideOf(value, expected, BEYOND * (expected.high - expected.low));
}

import type { Kind } from "../kind.ts";
import { type Expectation, outsideOf } from "./expectation.ts";
import type { Memory } from "./memory.ts";
import type { Recent } from "./recent.ts";
import { directionOf } from "./slope.ts";

/** Points in a row beyond one bound that make a lasting change rather than a spike. */
const LASTING = 8;
/** Least number of points beyond each bound that make a wider spread. */
const EITHER_SIDE = 4;
/** Standard errors by which they must also exceed their number by chance. */
const SURE = 3;

/**
 * Indices into the state. `AGE` counts the points from the strange one on, including it; 0 means that none is
 * watched.
 */
const [AGE, LOW, MID, HIGH, STRANGENESS, RUN, ABOVE, BELOW, BEFORE] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

export interface Outcome {
  kind: Extract<Kind, "level_shift" | "trend" | "variance">;
  strangeness: number;
  /** What was expected before the strange point. */
  expected: Expectation;
  /** Number of points that the expectation is based on. */
  before: number;
}

/** Watches the points after a strange one. Most strange points are isolated; after some, the metric has changed. */
export interface Aftermath {
  /** Starts watching at the newest of the recent points. If one is already watched, only raises its strangeness. */
  begin(strangeness: number, by: { expected: Expectation; before: number }): void;
  /** Takes the next point, which `recent` must already hold, and returns the outcome once there is one. */
  next(value: number): Outcome | undefined;
}

/** Watches for `length` points; `recent` must hold at least as many. */
export function createAftermath(memory: Memory, recent: Recent, length: number): Aftermath {
  const state = memory.take(9);

  /** Counts a point. `RUN` is the number of points in a row above the bounds, or negative for those below. */
  function count(value: number): void {
    const side = value > at(HIGH) ? 1 : value < at(LOW) ? -1 : 0;
    const goesOn = Math.sign(at(RUN)) === side;
    state[RUN] = goesOn ? at(RUN) + side : side;
    if (side > 0) state[ABOVE] = at(ABOVE) + 1;
    if (side < 0) state[BELOW] = at(BELOW) + 1;
    state[AGE] = at(AGE) + 1;
  }

  /** Points beyond each bound from which the spread is wider: few points told bounds that chance alone passes often. */
  function eitherSide(): number {
    const chance = (at(AGE) * (outsideOf(at(BEFORE)) + 1)) / (at(BEFORE) + 1);
    return Math.max(EITHER_SIDE, chance + SURE * Math.sqrt(chance));
  }

  function outcome(): Outcome["kind"] | undefined {
    if (Math.min(at(ABOVE), at(BELOW)) >= eitherSide()) return "variance";
    if (Math.abs(at(RUN)) < LASTING) return undefined;
    const since = recent.values().subarray(-at(AGE));
    const direction = directionOf(since) * Math.sign(at(RUN));
    // A burst that drains: on its way back to the usual, it is no level.
    if (direction < 0) return undefined;
    return direction > 0 ? "trend" : "level_shift";
  }

  function at(index: number): number {
    return state[index] as number;
  }

  return {
    begin(strangeness, { expected: { low, mid, high }, before }) {
      if (at(AGE) > 0) {
        state[STRANGENESS] = Math.max(at(STRANGENESS), strangeness);
        return;
      }
      state.set([0, low, mid, high, strangeness, 0, 0, 0, before]);
      count(recent.back(0));
    },
    next(value) {
      if (at(AGE) === 0) return undefined;
      count(value);
      const kind = outcome();
      if (kind || at(AGE) >= length) state[AGE] = 0;
      if (!kind) return undefined;
      const expected = { low: at(LOW), mid: at(MID), high: at(HIGH) };
      return { kind, strangeness: at(STRANGENESS), expected, before: at(BEFORE) };
    },
  };
}

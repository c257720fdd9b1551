import type { Kind } from "../kind.ts";
import type { Expectation } from "./expectation.ts";
import type { Memory } from "./memory.ts";
import type { Recent } from "./recent.ts";
import { directionOf } from "./slope.ts";

/** So many points in a row on one side are no spike any more. */
const LASTING = 8;
/** So many points beyond on either side are a new spread. */
const EITHER_SIDE = 4;

/** What is remembered. `AGE` counts the points since, the strange one included; 0 while nothing is watched. */
const [AGE, LOW, MID, HIGH, STRANGENESS, RUN, ABOVE, BELOW, BEFORE] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

export interface Outcome {
  kind: Extract<Kind, "level_shift" | "trend" | "variance">;
  strangeness: number;
  /** By so many points before it all. */
  expected: Expectation;
  before: number;
}

/** What becomes of a strange point: most stay alone, with some the metric has changed for longer. */
export interface Aftermath {
  /** From the newest of the recent points on; while something is watched already, that goes on. */
  begin(strangeness: number, by: { expected: Expectation; before: number }): void;
  /** With the next point, once it is the newest of the recent ones. */
  next(value: number): Outcome | undefined;
}

/** Watches for `length` points; those `recent` holds must be no fewer. */
export function createAftermath(memory: Memory, recent: Recent, length: number): Aftermath {
  const state = memory.take(9);

  /** Counts a point; `RUN` is how many in a row were beyond, negative below. */
  function count(value: number): void {
    const side = value > at(HIGH) ? 1 : value < at(LOW) ? -1 : 0;
    const goesOn = Math.sign(at(RUN)) === side;
    state[RUN] = goesOn ? at(RUN) + side : side;
    if (side > 0) state[ABOVE] = at(ABOVE) + 1;
    if (side < 0) state[BELOW] = at(BELOW) + 1;
    state[AGE] = at(AGE) + 1;
  }

  function outcome(): Outcome["kind"] | undefined {
    if (Math.min(at(ABOVE), at(BELOW)) >= EITHER_SIDE) return "variance";
    if (Math.abs(at(RUN)) < LASTING) return undefined;
    const since = recent.values().subarray(-at(AGE));
    return directionOf(since) === Math.sign(at(RUN)) ? "trend" : "level_shift";
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

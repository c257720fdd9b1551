import type { Memory } from "./memory.ts";

/** A metric is judged once it has changed so often. */
const MIN_CHANGES = 100;
/** It stands still where it does so for so many points, and so many times as long as it ever did. */
const MIN_POINTS = 20;
const LONGER = 5;

export interface Stillness {
  /** How many points it has had the same value, and how many at most before that. */
  points: number;
  longest: number;
}

/** Watches for a gauge that is frozen: a value that stops changing where it always changed. */
export interface StillnessWatch {
  /** With the next point; told once for each time that it stands still. */
  next(value: number): Stillness | undefined;
}

export function createStillnessWatch(memory: Memory): StillnessWatch {
  const state = memory.take(4);
  const [VALUE, POINTS, LONGEST, CHANGES] = [0, 1, 2, 3] as const;

  function at(index: number): number {
    return state[index] as number;
  }

  return {
    next(value) {
      if (at(POINTS) > 0 && value === at(VALUE)) {
        const points = at(POINTS) + 1;
        state[POINTS] = points;
        const told = Math.max(MIN_POINTS, LONGER * at(LONGEST));
        return at(CHANGES) >= MIN_CHANGES && points === told ? { points, longest: at(LONGEST) } : undefined;
      }
      // What was told is no part of what is normal, so that it is told the next time too.
      const wasTold = at(CHANGES) >= MIN_CHANGES && at(POINTS) >= Math.max(MIN_POINTS, LONGER * at(LONGEST));
      if (!wasTold) state[LONGEST] = Math.max(at(LONGEST), at(POINTS));
      if (at(POINTS) > 0) state[CHANGES] = at(CHANGES) + 1;
      state[VALUE] = value;
      state[POINTS] = 1;
      return undefined;
    },
  };
}

import type { Memory } from "./memory.ts";

/** Changes after which a metric is judged. */
const MIN_CHANGES = 100;
/** Minimum length of a standstill in points. */
export const MIN_POINTS = 20;
/** A standstill must also be this many times as long as the longest run before it. */
const LONGER = 5;

export interface Stillness {
  /** Number of points with the same value. */
  points: number;
  /** Length of the longest such run before. */
  longest: number;
}

/** Watches for a frozen gauge: a value that always changed and then stops changing. */
export interface StillnessWatch {
  /** Takes the next point. Returns each standstill once. */
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
      // A reported standstill does not become normal, so that the next one is reported too.
      const wasTold = at(CHANGES) >= MIN_CHANGES && at(POINTS) >= Math.max(MIN_POINTS, LONGER * at(LONGEST));
      if (!wasTold) state[LONGEST] = Math.max(at(LONGEST), at(POINTS));
      if (at(POINTS) > 0) state[CHANGES] = at(CHANGES) + 1;
      state[VALUE] = value;
      state[POINTS] = 1;
      return undefined;
    },
  };
}

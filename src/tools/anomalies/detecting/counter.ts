import { HOUR_MS } from "../../../system/durations.ts";
import type { Memory } from "./memory.ts";
import { MIN_POINTS, type Stillness } from "./stillness.ts";

/** A metric that grew so often since it last fell is a counter. */
const MIN_GROWN = 100;
/** How long it must have stood still, and over how many points. */
const LONG_MS = 4 * HOUR_MS;
const MIN_POINTS_OF_COUNTER = 5;
/** A standstill must also be this many times as long as the longest run before it. */
const LONGER = 5;

/** Numbers at the end of the state that memories made before this was added do not have. */
export const NUMBERS = 6;

export interface CounterWatch {
  /** Takes the next point. Returns each standstill once. `at` is in milliseconds, NaN if unknown. */
  next(value: number, at: number): Stillness | undefined;
  /** Whether the present standstill was returned. */
  wasTold(): boolean;
}

/**
 * Watches for a counter that stops growing for hours. It is told of before a gauge is, which may stand still by chance:
 * one that is read once an hour would else have to stop for most of a day.
 */
export function createCounterWatch(memory: Memory): CounterWatch {
  const state = memory.take(NUMBERS);
  const [VALUE, POINTS, SINCE, GROWN, LONGEST, TOLD] = [0, 1, 2, 3, 4, 5] as const;

  function at(index: number): number {
    return state[index] as number;
  }

  function isNews(time: number): boolean {
    // Of more points the other watch tells.
    if (at(TOLD) === 1 || at(GROWN) < MIN_GROWN || at(POINTS) >= MIN_POINTS) return false;
    return at(POINTS) >= Math.max(MIN_POINTS_OF_COUNTER, LONGER * at(LONGEST)) && time - at(SINCE) >= LONG_MS;
  }

  return {
    wasTold: () => at(TOLD) === 1,
    next(value, time) {
      if (at(POINTS) > 0 && value === at(VALUE)) {
        state[POINTS] = at(POINTS) + 1;
        if (!isNews(time)) return undefined;
        state[TOLD] = 1;
        return { points: at(POINTS), longest: at(LONGEST) };
      }
      const falls = at(POINTS) > 0 && value < at(VALUE);
      // A reported standstill does not become normal, so that the next one is reported too.
      if (falls) state[LONGEST] = 0;
      else if (at(TOLD) === 0) state[LONGEST] = Math.max(at(LONGEST), at(POINTS));
      state[GROWN] = falls ? 0 : at(GROWN) + 1;
      state[VALUE] = value;
      state[POINTS] = 1;
      state[SINCE] = time;
      state[TOLD] = 0;
      return undefined;
    },
  };
}

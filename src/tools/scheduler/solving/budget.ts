import type { Clock } from "../../../system/clock.ts";

/** The budget of a search: a number of schedules, or a time. */
export interface Budget {
  /** Number of schedules spent. One that takes as long as several others counts as that many. */
  readonly spent: number;
  /**
   * Spends one schedule that takes as long as `weight` others, a whole number. Returns false if the budget does not
   * suffice.
   */
  spend(weight?: number): boolean;
}

export function countedBudget(most: number): Budget {
  return budget(() => false, most);
}

/**
 * Creates a budget of time. The first schedule is always granted, so that there is a plan; others only if the
 * time is likely to suffice.
 */
export function timedBudget(ms: number, clock: Pick<Clock, "monotonic">): Budget {
  const begin = clock.monotonic();
  return budget((spent, weight) => {
    if (spent === 0) return false;
    const passed = clock.monotonic() - begin;
    return passed + (weight * passed) / spent > ms;
  }, Number.POSITIVE_INFINITY);
}

/** A search decides alike with a budget of a count that equals what it spent of a time. */
function budget(isOver: (spent: number, weight: number) => boolean, most: number): Budget {
  let spent = 0;
  let left = most;
  return {
    get spent() {
      return spent;
    },
    spend(weight = 1) {
      if (weight > left) return false;
      if (isOver(spent, weight)) {
        // Schedules that take less time may follow, but not as many as would make this one possible.
        left = Math.min(left, weight - 1);
        return false;
      }
      spent += weight;
      left -= weight;
      return true;
    },
  };
}

import type { Clock } from "../../../system/clock.ts";

/** How much may be searched: so many schedules, or as many as fit a time. */
export interface Budget {
  /** What was spent. */
  readonly spent: number;
  /** Takes one that lasts as long as `weight` others; false where none is left. */
  spend(weight?: number): boolean;
}

export function countedBudget(most: number): Budget {
  return budget(() => false, most);
}

/** The first is always granted, so that there is a plan; another only where the time is likely to suffice. */
export function timedBudget(ms: number, clock: Pick<Clock, "monotonic">): Budget {
  const begin = clock.monotonic();
  return budget((spent, weight) => {
    if (spent === 0) return false;
    const passed = clock.monotonic() - begin;
    return passed + (weight * passed) / spent > ms;
  }, Number.POSITIVE_INFINITY);
}

function budget(isOver: (spent: number, weight: number) => boolean, most: number): Budget {
  let spent = 0;
  return {
    get spent() {
      return spent;
    },
    spend(weight = 1) {
      if (spent >= most || isOver(spent, weight)) return false;
      spent++;
      return true;
    },
  };
}

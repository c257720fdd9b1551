import { betaInterval, type Interval } from "./beta-interval.ts";

/** How often something worked; older outcomes count less and less, so that what stops working falls. */
export interface Tally {
  successes: number;
  failures: number;
  /** All that were ever recorded. */
  attempts: number;
}

export const UNTRIED: Tally = { successes: 0, failures: 0, attempts: 0 };

/** What an outcome keeps of its weight when the next one comes: half after seven. */
const KEPT = 0.9;

export function afterOutcome({ successes, failures, attempts }: Tally, success: boolean): Tally {
  return {
    successes: KEPT * successes + (success ? 1 : 0),
    failures: KEPT * failures + (success ? 0 : 1),
    attempts: attempts + 1,
  };
}

/** What is presumed of anything: that it helps half of the time, as if it had been tried four times. */
const PRESUMED = 2;
/** Outcomes of the same category weigh as much as so many, at most. */
const MAX_OF_CATEGORY = 2;

/**
 * The chance that it works on this failure: what was recorded for it, on top of what was for others of
 * its category, on top of a presumption.
 */
export function successRate(own: Tally, category: Tally): Interval {
  const successes = Math.max(0, category.successes - own.successes);
  const failures = Math.max(0, category.failures - own.failures);
  const weight = Math.min(1, MAX_OF_CATEGORY / Math.max(1, successes + failures));
  return betaInterval(
    PRESUMED + weight * successes + own.successes,
    PRESUMED + weight * failures + own.failures,
  );
}

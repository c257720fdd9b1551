import { betaInterval, type Interval } from "./beta-interval.ts";

/** How often a suggestion worked. Older outcomes decay, so that the rate falls if it stops working. */
export interface Tally {
  successes: number;
  failures: number;
  /** Number of all outcomes ever recorded. */
  attempts: number;
}

export const UNTRIED: Tally = { successes: 0, failures: 0, attempts: 0 };

/** Share of its weight that an outcome keeps with each later one: about half after seven. */
const KEPT = 0.9;

export function afterOutcome({ successes, failures, attempts }: Tally, success: boolean): Tally {
  return {
    successes: KEPT * successes + (success ? 1 : 0),
    failures: KEPT * failures + (success ? 0 : 1),
    attempts: attempts + 1,
  };
}

/**
 * Prior number of successes, and of failures: a suggestion is presumed to work half of the time, as if it had
 * been tried four times.
 */
const PRESUMED = 2;
/** Maximum weight of the category's other outcomes, as a number of outcomes. */
const MAX_OF_CATEGORY = 2;

/**
 * Returns the chance that a suggestion works on this failure, from its outcomes there, those for other
 * failures of the category, and the prior.
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

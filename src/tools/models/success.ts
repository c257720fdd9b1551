import type { OutcomeRecord } from "./tally.ts";

/** Weight of the prior, as a number of outcomes. */
const PRESUMED = 4;
const [STEEPNESS, EASE] = [4, 1.5];
/** Bounds of the prior: no task is presumed to be certain or impossible. */
const [MIN, MAX] = [0.05, 0.95];
/**
 * Standard deviations that are added to the mean, which favours models with few outcomes. With more, a
 * success could lower the result.
 */
const OPTIMISM = 0.4;

/**
 * Returns the chance that a model of this strength does a task of this difficulty (both 0 to 1, as in item
 * response theory), updated by the recorded outcomes. It is the mean of a Beta distribution plus a part of
 * its standard deviation, so that models with few outcomes are tried (Bayes-UCB; Kaufmann, Cappé and Garivier
 * 2012). It is deterministic. A success never lowers it, and a failure never raises it.
 */
export function chanceOf(
  strength: number,
  difficulty: number,
  { successes, failures }: OutcomeRecord,
): number {
  const able = 1 / (1 + Math.exp(-STEEPNESS * (strength - difficulty) - EASE));
  const alpha = PRESUMED * (MIN + (MAX - MIN) * able) + successes;
  const count = PRESUMED + successes + failures;
  const mean = alpha / count;
  return mean + OPTIMISM * Math.sqrt((mean * (1 - mean)) / (count + 1));
}

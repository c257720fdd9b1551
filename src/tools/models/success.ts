import type { Record } from "./tally.ts";

/** So many outcomes weigh as much as what is presumed before the first. */
const PRESUMED = 4;
const [STEEPNESS, EASE] = [4, 1.5];
/** Nothing is presumed to be beyond or beneath a model. */
const [MIN, MAX] = [0.05, 0.95];
/** How far what is little known is given the benefit of the doubt. More, and a success could lower it. */
const OPTIMISM = 0.4;

/**
 * The chance that a model of this strength does a task of this difficulty (both 0 to 1, as in item
 * response theory), updated by what was recorded: the mean of a Beta distribution and a part of its
 * standard deviation on top, so that what is little known is tried (Bayes-UCB; Kaufmann, Cappé and
 * Garivier 2012). The same data give the same figure; a success never lowers it, a failure never
 * raises it.
 */
export function chanceOf(strength: number, difficulty: number, { successes, failures }: Record): number {
  const able = 1 / (1 + Math.exp(-STEEPNESS * (strength - difficulty) - EASE));
  const alpha = PRESUMED * (MIN + (MAX - MIN) * able) + successes;
  const count = PRESUMED + successes + failures;
  const mean = alpha / count;
  return mean + OPTIMISM * Math.sqrt((mean * (1 - mean)) / (count + 1));
}

import type { Unit } from "../units.ts";
import { bm25, frequenciesOf, withNeighbours } from "./bm25.ts";
import type { QueryTerms } from "./query-terms.ts";

/** Weights of a turn's words in the turns around it, by distance. */
const LENT = [0.5, 0.25, 0.125];
/** Distance, in words, at which the weight of a match falls to 1/e (a Laplace kernel). */
const KERNEL_WORDS = 300;
const OWN_WEIGHT = 0.3;
const NAMED_SPEAKER = 1.3;

/**
 * Scores units for broad questions about conversations and logs. The answer is a passage of many turns, few of which
 * contain a word of the question. Where such turns are dense, everything around them counts.
 */
export function passageRelevance(units: readonly Unit[], query: QueryTerms): Float64Array {
  const texts = units.map(({ terms }) => terms);
  const frequencies = withNeighbours(
    frequenciesOf(texts, query.terms),
    LENT.length,
    (unit, neighbour) => LENT[Math.abs(unit - neighbour) - 1] as number,
  );
  const own = bm25(frequencies, query.weights);
  const dense = density(own, positionsOf(units));
  const [mostOwn, mostDense] = [highest(own), highest(dense)];
  return own.map((score, unit) => {
    const passage = (dense[unit] as number) / mostDense + (OWN_WEIGHT * score) / mostOwn;
    const named = query.speakers.has((units[unit] as Unit).speaker as string);
    return mostOwn * passage * (named ? NAMED_SPEAKER : 1);
  });
}

/** Returns for each unit the sum of all scores, which decay with distance, in one pass in each direction. */
function density(scores: Float64Array, positions: readonly number[]): Float64Array {
  const sums = new Float64Array(scores.length);
  const decay = (one: number, other: number) =>
    Math.exp(-Math.abs((positions[one] as number) - (positions[other] as number)) / KERNEL_WORDS);
  let sum = 0;
  for (let unit = 0; unit < scores.length; unit++) {
    if (unit > 0) sum *= decay(unit - 1, unit);
    sum += scores[unit] as number;
    sums[unit] = sum;
  }
  sum = 0;
  for (let unit = scores.length - 1; unit >= 0; unit--) {
    if (unit < scores.length - 1) sum *= decay(unit, unit + 1);
    sums[unit] = (sums[unit] as number) + sum;
    sum += scores[unit] as number;
  }
  return sums;
}

/** Returns the middle of each unit, in words from the beginning. */
function positionsOf(units: readonly Unit[]): number[] {
  let before = 0;
  return units.map(({ text }) => {
    const words = text.split(/\s+/).length - 1;
    before += words;
    return before - words / 2;
  });
}

function highest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0) || 1;
}

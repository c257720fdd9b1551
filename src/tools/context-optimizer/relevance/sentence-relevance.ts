import type { Unit } from "../units.ts";
import { bm25, frequenciesOf, withNeighbours } from "./bm25.ts";
import type { QueryTerms } from "./query-terms.ts";

/** Weights of a sentence's words in those around it, within a paragraph: pronouns may stand for them there. */
const LENT_ONWARDS = [0.3, 0.15];
const LENT_BACK = [0.2, 0.1];
const GRAM = 4;
const GRAM_WEIGHT = 0.3;
const ADJACENT_WEIGHT = 0.1;

/**
 * Scores units for questions that one sentence answers, by the words of the question, or parts of them, that they have.
 */
export function sentenceRelevance(units: readonly Unit[], { terms, weights }: QueryTerms): Float64Array {
  const texts = units.map((unit) => unit.terms);
  const sameParagraph = (one: number, other: number) => units[one]?.paragraph === units[other]?.paragraph;
  const byTerms = withNeighbours(frequenciesOf(texts, terms), LENT_ONWARDS.length, (unit, neighbour) => {
    if (!sameParagraph(unit, neighbour)) return 0;
    const lent = neighbour < unit ? LENT_ONWARDS : LENT_BACK;
    return lent[Math.abs(unit - neighbour) - 1] as number;
  });
  const scores = bm25(byTerms, weights);
  const grams = new Map<string, number>();
  for (const [index, term] of terms.entries()) {
    for (const gram of gramsOf(term)) grams.set(gram, (grams.get(gram) ?? 0) + (weights[index] as number));
  }
  const byGrams = bm25(frequenciesOf(texts, [...grams.keys()], gramsOf), [...grams.values()]);
  const own = scores.map((score, unit) => score + GRAM_WEIGHT * (byGrams[unit] as number));
  return own.map((score, unit) => {
    const before = sameParagraph(unit, unit - 1) ? (own[unit - 1] as number) : 0;
    const after = sameParagraph(unit, unit + 1) ? (own[unit + 1] as number) : 0;
    return score + ADJACENT_WEIGHT * Math.max(before, after);
  });
}

/** Returns the 4-grams of a term with its bounds: `_wor`, `word`, `ord_` of `word`. */
function gramsOf(term: string): string[] {
  const bounded = `_${term}_`;
  if (bounded.length <= GRAM) return [bounded];
  return Array.from({ length: bounded.length - GRAM + 1 }, (_, at) => bounded.slice(at, at + GRAM));
}

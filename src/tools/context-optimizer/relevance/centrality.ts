import type { Unit } from "../units.ts";

/** Exponent of the length that a score is divided by, since long units have more words in common with everything. */
const LENGTH_POWER = 0.5;

/**
 * Scores units without a query, by the share they have in the words that everything is about (the centroid of all
 * units, by frequency and rarity).
 */
export function centrality(units: readonly Unit[]): Float64Array {
  const having = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { terms } of units) {
    for (const term of new Set(terms)) having.set(term, (having.get(term) ?? 0) + 1);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const worth = (term: string) =>
    (1 + Math.log(counts.get(term) as number)) * Math.log(1 + units.length / (having.get(term) as number));
  return Float64Array.from(units, ({ terms }) => {
    const distinct = new Set(terms);
    let sum = 0;
    for (const term of distinct) if ((counts.get(term) as number) > 1) sum += worth(term);
    return distinct.size > 0 ? sum / distinct.size ** LENGTH_POWER : 0;
  });
}

import { type InvertedIndex, termIn, weightIn } from "../../../text/search/inverted-index.ts";
import { type Corpus, type Query, rarityOf, saturation } from "./matching.ts";

/** Parameters of RM3 relevance feedback (Lavrenko and Croft 2001; Abdul-Jaleel et al. 2004). */
const DOCUMENTS = 5;
const TERMS = 30;
const SHARE = 0.5;

/**
 * Expands a query with the most frequent terms of the best documents, which make up half of its weight.
 * Returns undefined if there are too few documents.
 *
 * @param ranked best first.
 */
export function expand(
  index: InvertedIndex,
  query: Query,
  ranked: readonly number[],
  scores: Float64Array,
): Query | undefined {
  const best = ranked.slice(0, DOCUMENTS);
  if (best.length < DOCUMENTS) return undefined;
  const model = new Map<number, number>();
  for (const memory of best) {
    const share = (scores[memory] as number) / index.lengthOf(memory);
    for (const content of index.contentsOf(memory)) {
      const term = termIn(content);
      model.set(term, (model.get(term) ?? 0) + share * weightIn(content));
    }
  }
  const added = [...model].sort(([a, one], [b, other]) => other - one || a - b).slice(0, TERMS);
  const scale = (SHARE * sum(query.values())) / sum(added.map(([, weight]) => weight));
  const expanded = new Map([...query].map(([term, weight]) => [term, weight * (1 - SHARE)]));
  for (const [term, weight] of added) expanded.set(term, (expanded.get(term) ?? 0) + scale * weight);
  return expanded;
}

/**
 * Computes the BM25 score of one memory in no thread. Reads its contents rather than postings, since few
 * memories are rescored.
 */
export function scoreOf(corpus: Corpus, memory: number, query: Query): number {
  let score = 0;
  for (const content of corpus.index.contentsOf(memory)) {
    const weight = query.get(termIn(content));
    if (weight === undefined) continue;
    score += weight * rarityOf(corpus, termIn(content)) * saturation(corpus, memory, weightIn(content));
  }
  return score;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

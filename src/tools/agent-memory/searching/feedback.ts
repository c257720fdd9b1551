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
 * Returns a function that computes the BM25 score of a memory in no thread. It reads contents rather than postings,
 * since few memories are rescored, and what each term gains from an array, since they hold many terms of no query.
 */
export function scorer(corpus: Corpus, query: Query): (memory: number) => number {
  const gains = new Float64Array(corpus.index.termCount);
  for (const [term, weight] of query) gains[term] = weight * rarityOf(corpus, term);
  return (memory) => {
    let score = 0;
    for (const content of corpus.index.contentsOf(memory)) {
      const gain = gains[termIn(content)] as number;
      if (gain !== 0) score += gain * saturation(corpus, memory, weightIn(content));
    }
    return score;
  };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

export interface Bm25Options {
  /** How quickly repetitions of a term stop adding to its score: 1.2 to 2. */
  k1: number;
  /** Influence of a document's length, from 0 to 1. */
  b: number;
}

/* BM25 (Robertson and Zaragoza 2009, §3.1), the basis of every search here. */

/** Returns the weight of a term that `having` of `count` documents contain. */
export function rarity(count: number, having: number): number {
  return Math.log(1 + (count - having + 0.5) / (having + 0.5));
}

/**
 * Returns the contribution of a term by its frequency in a document, which grows ever more slowly.
 *
 * @param length of the document, relative to the average
 */
export function saturation(frequency: number, length: number, { k1, b }: Bm25Options): number {
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));
}

/** The documents' statistics for a query. */
export interface Counted {
  /** Number of terms of each document. */
  lengths: readonly number[];
  /** By term of the query: alternating document numbers and frequencies. */
  postings: readonly (readonly number[])[];
}

/**
 * Returns the score of each document for a query, at least 0.
 *
 * @param weights of the query's terms
 */
export function bm25(
  { lengths, postings }: Counted,
  weights: readonly number[],
  options: Bm25Options,
): Float64Array {
  const count = lengths.length;
  const average = lengths.reduce((sum, length) => sum + length, 0) / count || 1;
  const scores = new Float64Array(count);
  for (const [term, of] of postings.entries()) {
    const gain = (weights[term] as number) * rarity(count, of.length / 2);
    for (let at = 0; at < of.length; at += 2) {
      const document = of[at] as number;
      const length = (lengths[document] as number) / average;
      scores[document] =
        (scores[document] as number) + gain * saturation(of[at + 1] as number, length, options);
    }
  }
  return scores;
}

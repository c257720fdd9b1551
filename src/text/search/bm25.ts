export interface Bm25Options {
  /** How soon a term that comes again adds little: 1.2 to 2. */
  k1: number;
  /** How much the length of a document counts, from 0 to 1. */
  b: number;
}

/* Robertson and Zaragoza 2009, §3.1: what every search here is made of. */

/** What a term tells that so many of `count` documents have. */
export function rarity(count: number, having: number): number {
  return Math.log(1 + (count - having + 0.5) / (having + 0.5));
}

/**
 * What a term counts that stands so often in a document: ever less for each time more.
 *
 * @param length of the document, 1 for the average one
 */
export function saturation(frequency: number, length: number, { k1, b }: Bm25Options): number {
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));
}

/** Documents as a query sees them. */
export interface Counted {
  /** Of each document, in terms. */
  lengths: readonly number[];
  /** By term of the query: a document that has it, then how often, and so on. */
  postings: readonly (readonly number[])[];
}

/**
 * How well each document fits a query, 0 and more.
 *
 * @param weights what each term of the query counts
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

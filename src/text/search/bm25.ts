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

/**
 * How well each document fits a query, 0 and more. What is kept meanwhile grows with what is found, not with
 * documents times terms.
 *
 * @param documents the terms of each, repeated as they are
 * @param query what each of its terms weighs
 */
export function bm25(
  documents: readonly (readonly string[])[],
  query: ReadonlyMap<string, number>,
  options: Bm25Options,
): Float64Array {
  const numbers = new Map([...query.keys()].map((term, index) => [term, index]));
  const weights = [...query.values()];
  /** By term: document, then how often it stands there. */
  const postings: number[][] = weights.map(() => []);
  let total = 0;
  for (const [document, terms] of documents.entries()) {
    total += terms.length;
    for (const term of terms) {
      const number = numbers.get(term);
      if (number === undefined) continue;
      const of = postings[number] as number[];
      if (of.length > 0 && of[of.length - 2] === document) (of[of.length - 1] as number)++;
      else of.push(document, 1);
    }
  }
  const count = documents.length;
  const average = total / count || 1;
  const scores = new Float64Array(count);
  for (const [number, of] of postings.entries()) {
    const having = of.length / 2;
    const gain = (weights[number] as number) * rarity(count, having);
    for (let at = 0; at < of.length; at += 2) {
      const document = of[at] as number;
      const length = (documents[document]?.length ?? 0) / average;
      scores[document] =
        (scores[document] as number) + gain * saturation(of[at + 1] as number, length, options);
    }
  }
  return scores;
}

import { bestOf } from "../../../text/search/best.ts";
import { termIn, weightIn } from "../../../text/search/inverted-index.ts";
import { type Corpus, rarityOf } from "./matching.ts";

/** Score regularisation (Diaz 2005): documents that are close should score alike. */
const NEIGHBOURS = 4;
const STRENGTH = 3;
const ROUNDS = 3;
/** Terms of a document that are compared, from its beginning. */
const MAX_TERMS = 256;

/**
 * Draws each score towards those of the most similar documents, in proportion to their similarity. A document
 * that only one word brought up falls; one that is similar to other good matches rises.
 *
 * @param memories at most a few hundred, since time grows with the square of their number.
 * @param scores of each, in order.
 */
export function agree(corpus: Corpus, memories: readonly number[], scores: readonly number[]): number[] {
  const size = memories.length;
  const similar = similarities(corpus, memories);
  const everyone = memories.map((_, at) => at);
  const nearest = everyone.map((at) => {
    const likeness = (other: number) => similar[at * size + other] as number;
    const closer = (a: number, b: number) => likeness(a) > likeness(b);
    return bestOf(everyone, NEIGHBOURS, closer).map((other) => ({
      other,
      weight: STRENGTH * likeness(other),
    }));
  });
  let agreed = [...scores];
  for (let round = 0; round < ROUNDS; round++) {
    agreed = scores.map((score, at) => {
      let sum = score;
      let total = 1;
      for (const { other, weight } of nearest[at] as (typeof nearest)[number]) {
        sum += weight * (agreed[other] as number);
        total += weight;
      }
      return sum / total;
    });
  }
  return agreed;
}

/**
 * Returns the cosine similarities of all pairs row by row, 0 on the diagonal. Terms are weighted by log
 * frequency times rarity.
 */
function similarities(corpus: Corpus, memories: readonly number[]): Float64Array {
  const size = memories.length;
  const products = new Float64Array(size * size);
  const { starts, holders, weights } = holdersByTerm(corpus, memories);
  for (let term = 0; term + 1 < starts.length; term++) {
    const [start, end] = [starts[term] as number, starts[term + 1] as number];
    for (let one = start + 1; one < end; one++) {
      const [row, weight] = [(holders[one] as number) * size, weights[one] as number];
      for (let other = start; other < one; other++) {
        const cell = row + (holders[other] as number);
        products[cell] = (products[cell] as number) + weight * (weights[other] as number);
      }
    }
  }
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) {
      products[column * size + row] = products[row * size + column] as number;
    }
  }
  return products;
}

/** The memories that hold each term with their weights, term by term: those of one from `starts` of it to the next. */
interface Holders {
  starts: Int32Array;
  holders: Int32Array;
  weights: Float64Array;
}

/** The weights of one memory have norm 1. */
function holdersByTerm(corpus: Corpus, memories: readonly number[]): Holders {
  const contents = memories.map((memory) => corpus.index.contentsOf(memory).subarray(0, MAX_TERMS));
  /** By term, one more than its place among the terms here; 0 if it has none. */
  const places = new Int32Array(corpus.index.termCount);
  const rarities: number[] = [];
  const counts: number[] = [];
  for (const terms of contents) {
    for (const content of terms) {
      const term = termIn(content);
      if (places[term] === 0) {
        places[term] = rarities.push(rarityOf(corpus, term));
        counts.push(0);
      }
      const place = (places[term] as number) - 1;
      counts[place] = (counts[place] as number) + 1;
    }
  }
  const starts = new Int32Array(counts.length + 1);
  for (const [place, count] of counts.entries()) starts[place + 1] = (starts[place] as number) + count;
  const total = starts[counts.length] as number;
  const holders = new Int32Array(total);
  const weights = new Float64Array(total);
  /** By place, where its next holder is put. */
  const next = starts.slice();
  for (const [at, terms] of contents.entries()) {
    let squares = 0;
    const puts = new Int32Array(terms.length);
    for (let each = 0; each < terms.length; each++) {
      const content = terms[each] as number;
      const place = (places[termIn(content)] as number) - 1;
      const weight = (1 + Math.log(weightIn(content))) * (rarities[place] as number);
      const put = next[place] as number;
      next[place] = put + 1;
      holders[put] = at;
      weights[put] = weight;
      puts[each] = put;
      squares += weight * weight;
    }
    const length = Math.sqrt(squares);
    for (const put of puts) weights[put] = (weights[put] as number) / length;
  }
  return { starts, holders, weights };
}

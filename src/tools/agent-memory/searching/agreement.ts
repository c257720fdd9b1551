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
  for (const holders of weightsByTerm(corpus, memories)) {
    for (let one = 0; one < holders.length; one += 2) {
      const [row, weight] = [holders[one] as number, holders[one + 1] as number];
      for (let other = 0; other < one; other += 2) {
        const cell = row * size + (holders[other] as number);
        products[cell] = (products[cell] as number) + weight * (holders[other + 1] as number);
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

/**
 * Returns for each term the memories that hold it and their weights, alternating. The weights of one memory
 * have norm 1.
 */
function weightsByTerm(corpus: Corpus, memories: readonly number[]): number[][] {
  const holders: number[][] = [];
  const rarities: number[] = [];
  /** By term, one more than its index in `holders`; 0 if it has none. */
  const places = new Int32Array(corpus.index.termCount);
  for (const [at, memory] of memories.entries()) {
    const contents = corpus.index.contentsOf(memory).subarray(0, MAX_TERMS);
    const weights = new Float64Array(contents.length);
    let squares = 0;
    for (let each = 0; each < contents.length; each++) {
      const content = contents[each] as number;
      const term = termIn(content);
      if (places[term] === 0) {
        places[term] = rarities.push(rarityOf(corpus, term));
        holders.push([]);
      }
      const rarity = rarities[(places[term] as number) - 1] as number;
      const weight = (1 + Math.log(weightIn(content))) * rarity;
      weights[each] = weight;
      squares += weight * weight;
    }
    const length = Math.sqrt(squares);
    for (let each = 0; each < contents.length; each++) {
      const place = (places[termIn(contents[each] as number)] as number) - 1;
      (holders[place] as number[]).push(at, (weights[each] as number) / length);
    }
  }
  return holders;
}

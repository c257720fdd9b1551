import { bestOf } from "../../../text/search/best.ts";
import { termIn, weightIn } from "../../../text/search/inverted-index.ts";
import { type Corpus, rarityOf } from "./matching.ts";

/** Score regularisation (Diaz 2005): documents that are close should score alike. */
const NEIGHBOURS = 4;
const STRENGTH = 3;
const ROUNDS = 3;
/** A long document is compared by its beginning. */
const MAX_TERMS = 256;

/**
 * Scores drawn towards those of the documents most like each, as far as they are: what a single word
 * brought up falls back, what stands in good company rises.
 *
 * @param memories at most some hundred: the time grows with their square.
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

/** Cosines of each with each other, 0 with itself, by the logarithms of frequencies and the rarity of terms. Row by row. */
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

/** For each term who holds it and the weight there, in turn; each one's weights have length 1. */
function weightsByTerm(corpus: Corpus, memories: readonly number[]): number[][] {
  const holders: number[][] = [];
  const rarities: number[] = [];
  /** By term, one more than its place among the holders. */
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

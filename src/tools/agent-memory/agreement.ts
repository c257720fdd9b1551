import { termIn, weightIn } from "./inverted-index.ts";
import { type Corpus, rarityOf } from "./matching.ts";

/** Score regularisation (Diaz 2005): documents that are close should score alike. */
const NEIGHBOURS = 4;
const STRENGTH = 3;
const ROUNDS = 3;
/** A long document is compared by its beginning. */
const MOST_TERMS = 256;

/**
 * Scores drawn towards those of the documents most like each, as far as they are: what a single word
 * brought up falls back, what stands among good company rises.
 *
 * @param memories at most some hundred: the time grows with their square.
 * @param scores of each, in order.
 */
export function agree(corpus: Corpus, memories: readonly number[], scores: readonly number[]): number[] {
  const similar = similarities(corpus, memories);
  const nearest = memories.map((_, at) => {
    const row = similar.subarray(at * memories.length, (at + 1) * memories.length);
    return [...row.keys()]
      .filter((other) => other !== at && (row[other] as number) > 0)
      .sort((a, b) => (row[b] as number) - (row[a] as number) || a - b)
      .slice(0, NEIGHBOURS)
      .map((other) => ({ other, weight: STRENGTH * (row[other] as number) }));
  });
  let agreed = [...scores];
  for (let round = 0; round < ROUNDS; round++) {
    agreed = scores.map((score, at) => {
      let sum = score;
      let total = 1;
      for (const { other, weight } of nearest[at] ?? []) {
        sum += weight * (agreed[other] as number);
        total += weight;
      }
      return sum / total;
    });
  }
  return agreed;
}

/** Cosines of each with each, by the logarithms of frequencies and the rarity of terms. Row by row. */
function similarities(corpus: Corpus, memories: readonly number[]): Float64Array {
  const size = memories.length;
  const products = new Float64Array(size * size);
  const holders = new Map<number, { at: number; weight: number }[]>();
  for (const [at, memory] of memories.entries()) {
    const contents = corpus.index.contentsOf(memory).subarray(0, MOST_TERMS);
    const weights = Array.from(
      contents,
      (content) => Math.max(0, 1 + Math.log(weightIn(content))) * rarityOf(corpus, termIn(content)),
    );
    const length = Math.hypot(...weights) || 1;
    for (const [index, content] of contents.entries()) {
      const weight = (weights[index] as number) / length;
      const others = holders.get(termIn(content));
      if (!others) holders.set(termIn(content), [{ at, weight }]);
      else {
        for (const other of others) {
          products[at * size + other.at] = (products[at * size + other.at] as number) + weight * other.weight;
        }
        others.push({ at, weight });
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

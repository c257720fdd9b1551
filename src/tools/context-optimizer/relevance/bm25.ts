import { rarity, saturation } from "../../../text/search/bm25.ts";

/** How often each of some terms occurs in each unit, and the lengths of the units. */
export interface Frequencies {
  /** By term, then by unit. */
  of: readonly Float64Array[];
  lengths: Float64Array;
}

const BM25 = { k1: 1.2, b: 0.6 };

/**
 * Returns the BM25 score of each unit.
 *
 * @param weights one for each term.
 */
export function bm25({ of, lengths }: Frequencies, weights: readonly number[]): Float64Array {
  const count = lengths.length;
  const scores = new Float64Array(count);
  let total = 0;
  for (const length of lengths) total += length;
  const average = total / count || 1;
  for (const [term, frequencies] of of.entries()) {
    let having = 0;
    for (const frequency of frequencies) if (frequency > 0) having++;
    const gain = (weights[term] as number) * rarity(count, having);
    for (let unit = 0; unit < count; unit++) {
      const frequency = frequencies[unit] as number;
      if (frequency === 0) continue;
      const length = (lengths[unit] as number) / average;
      scores[unit] = (scores[unit] as number) + gain * saturation(frequency, length, BM25);
    }
  }
  return scores;
}

/** Counts the wanted items in each unit. `itemsOf` returns the items of a term: itself, or its parts. */
export function frequenciesOf(
  units: readonly string[][],
  wanted: readonly string[],
  itemsOf: (term: string) => readonly string[] = (term) => [term],
): Frequencies {
  const numbers = new Map(wanted.map((item, index) => [item, index]));
  const of = wanted.map(() => new Float64Array(units.length));
  const lengths = new Float64Array(units.length);
  const found = new Map<string, { numbers: number[]; length: number }>();
  for (const [unit, terms] of units.entries()) {
    for (const term of terms) {
      let known = found.get(term);
      if (!known) {
        const items = itemsOf(term);
        known = { numbers: items.flatMap((item) => numbers.get(item) ?? []), length: items.length };
        found.set(term, known);
      }
      lengths[unit] = (lengths[unit] as number) + known.length;
      for (const number of known.numbers) {
        const frequencies = of[number] as Float64Array;
        frequencies[unit] = (frequencies[unit] as number) + 1;
      }
    }
  }
  return { of, lengths };
}

/** Adds to each unit a share of its neighbours' frequencies and lengths. `shareOf` returns the share, 0 for none. */
export function withNeighbours(
  { of, lengths }: Frequencies,
  reach: number,
  shareOf: (unit: number, neighbour: number) => number,
): Frequencies {
  const count = lengths.length;
  const shares: [unit: number, neighbour: number, share: number][] = [];
  for (let unit = 0; unit < count; unit++) {
    for (
      let neighbour = Math.max(0, unit - reach);
      neighbour <= Math.min(count - 1, unit + reach);
      neighbour++
    ) {
      const share = neighbour === unit ? 1 : shareOf(unit, neighbour);
      if (share > 0) shares.push([unit, neighbour, share]);
    }
  }
  const spread = (values: Float64Array) => {
    const result = new Float64Array(count);
    for (const [unit, neighbour, share] of shares) {
      result[unit] = (result[unit] as number) + share * (values[neighbour] as number);
    }
    return result;
  };
  return { of: of.map(spread), lengths: spread(lengths) };
}

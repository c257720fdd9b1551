import { search } from "./search.ts";
import type { SearchedFile } from "./searched-file.ts";

/** How many times the budget is read: not every piece fits, and some are redundant. */
const TIMES = 8;
/** Approximate for code: stop words and punctuation are no terms, and parts of names are terms of their own. */
const TOKENS_A_TERM = 2;

export interface WorthReading {
  /** Indices of the files, ascending. */
  files: number[];
  /** Scores of all their pieces, in order, among the pieces of all files. */
  pieces: Float64Array;
}

/**
 * Returns the files with the pieces that answer a query best. Nothing of the others would be chosen for such a budget.
 */
export function worthReading(files: readonly SearchedFile[], query: string, maxTokens: number): WorthReading {
  const { pieces: scores } = search(files, query);
  const pieces = files.flatMap(({ pieces }, file) => pieces.map((piece) => ({ file, piece })));
  const order = [...pieces.keys()]
    .filter((place) => (scores[place] as number) > 0)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const chosen = new Set<number>();
  let left = (TIMES * maxTokens) / TOKENS_A_TERM;
  for (const place of order) {
    if (left <= 0) break;
    const { file, piece } = pieces[place] as (typeof pieces)[number];
    chosen.add(file);
    left -= piece.counts.reduce((sum, count) => sum + count, 0);
  }
  const worth = scores.filter((_, place) => chosen.has((pieces[place] as (typeof pieces)[number]).file));
  return { files: [...chosen].sort((a, b) => a - b), pieces: worth };
}

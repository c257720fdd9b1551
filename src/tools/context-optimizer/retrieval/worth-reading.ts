import { search } from "./search.ts";
import type { SearchedFile } from "./searched-file.ts";

/** What is read fills a budget so often: whole pieces do not fit everywhere, and some say the same again. */
const TIMES = 8;
/** Of code, about: stop words and marks are no terms, parts of names are terms of their own. */
const TOKENS_A_TERM = 2;

export interface WorthReading {
  /** By place, in order. */
  files: number[];
  /** What each of their pieces is worth among the pieces of all files, in a row. */
  pieces: Float64Array;
}

/** The files of the pieces that answer a query best: nothing of the others would be chosen for such a budget. */
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

import { copyOf } from "../../../text/copy.ts";
import { codeTerms } from "../../../text/search/code-terms.ts";

/** A piece of a file for search: with counts of its terms instead of its text. */
export interface SearchedPiece {
  /** The name of what it declares, after those of its containers from the outside in. */
  names: readonly string[];
  /** Lines of the file, counted from 0; `to` is exclusive. */
  from: number;
  to: number;
  /** The numbers of the distinct terms in its text and names, and how often each occurs. */
  terms: Uint32Array;
  counts: Uint8Array;
}

/** A file for search: it depends on its text and path alone, so that it can be cached. */
export interface SearchedFile {
  path: string;
  pieces: readonly SearchedPiece[];
}

type Cut = Pick<SearchedPiece, "names" | "from" | "to"> & { text: string };

/** Weight of what a piece declares relative to its text. */
const NAMES = 2;
const MAX_COUNT = 255;

/** Counts the terms of a piece, for `search`. */
export function searchedPiece({ names, from, to, text }: Cut): SearchedPiece {
  const counts = new Map<number, number>();
  const add = (terms: readonly string[], times: number) => {
    for (const term of terms) {
      const number = termNumber(term);
      counts.set(number, (counts.get(number) ?? 0) + times);
    }
  };
  add(codeTerms(text), 1);
  add(codeTerms(names.join(" ")), NAMES);
  const most = [...counts.values()].map((count) => Math.min(MAX_COUNT, count));
  return {
    names: names.map(copyOf),
    from,
    to,
    terms: Uint32Array.from(counts.keys()),
    counts: Uint8Array.from(most),
  };
}

/**
 * Returns a number of 32 bits for a term (FNV-1a). Among a million terms, one in forty queries of a hundred terms has a
 * collision.
 */
export function termNumber(term: string): number {
  let number = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) number = Math.imul(number ^ term.charCodeAt(at), 0x01000193);
  return number >>> 0;
}

import { copyOf } from "../../../text/copy.ts";
import { codeTerms } from "../../../text/search/code-terms.ts";

/** A piece of a file, as it is searched: what it says is counted, not kept. */
export interface SearchedPiece {
  /** What it declares, with what that stands in, from the outside in. */
  names: readonly string[];
  /** Lines of the file, counted from 0; `to` is the first one behind it. */
  from: number;
  to: number;
  /** The terms of its text and names by their numbers, each once, and how often each stands there. */
  terms: Uint32Array;
  counts: Uint8Array;
}

/** A file as it is searched: made of its text and path alone, so that it can be kept. */
export interface SearchedFile {
  path: string;
  pieces: readonly SearchedPiece[];
}

type Cut = Pick<SearchedPiece, "names" | "from" | "to"> & { text: string };

/** How often what a piece declares counts beside its text. */
const NAMES = 2;
const MAX_COUNT = 255;

/** What a piece says, for `search`. */
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
 * A number of 32 bits for a term (FNV-1a): of a million terms and a query of a hundred, one in forty queries
 * has a term that is taken for another one.
 */
export function termNumber(term: string): number {
  let number = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) number = Math.imul(number ^ term.charCodeAt(at), 0x01000193);
  return number >>> 0;
}

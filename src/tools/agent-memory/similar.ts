import { documentIn, termIn } from "../../text/search/inverted-index.ts";
import type { MemoryProjection } from "./searching/memory-projection.ts";

const RAREST = 3;
const MAX_READ = 500;
const MAX_FOUND = 10;
/** Maximum number of terms of memories that are read; longer memories mean that fewer are compared. */
const MAX_COMPARED = 100_000;
/** Share of a text's terms that a memory must hold to say the same. */
const HELD = 0.7;

/**
 * Returns the memories of a group that may say the same as a text: they hold one of its rarest words and most
 * of the others.
 *
 * @param terms distinct.
 */
export function similarTo(projection: MemoryProjection, group: number, terms: readonly string[]): number[] {
  const { index } = projection;
  const known = terms.flatMap((term) => index.numberOf(term) ?? []);
  if (known.length < HELD * terms.length) return [];
  const having = (term: number) => index.postingsOf(term).length;
  const rarest = known.sort((a, b) => having(a) - having(b)).slice(0, RAREST);
  const numbers = new Set(known);
  const seen = new Set<number>();
  const found: number[] = [];
  let left = MAX_COMPARED;
  for (const posting of rarest.flatMap((term) => index.postingsOf(term).slice(-MAX_READ))) {
    const memory = documentIn(posting);
    if (seen.has(memory)) continue;
    seen.add(memory);
    if (projection.traitsOf(memory).group !== group) continue;
    const contents = index.contentsOf(memory);
    left -= contents.length;
    if (left < 0) break;
    if (sharedTerms(contents, numbers).length < HELD * terms.length) continue;
    if (found.push(memory) === MAX_FOUND) break;
  }
  return found;
}

function sharedTerms(contents: Uint32Array, wanted: ReadonlySet<number>): number[] {
  const shared: number[] = [];
  for (const content of contents) if (wanted.has(termIn(content))) shared.push(termIn(content));
  return shared;
}

/** Maximum number of memories that a text is checked against for a contradiction. */
const MAX_RELATED = 20;
const RAREST_RELATED = 6;

/** Returns short memories of any agent that share the most of a text's rarest words; among equals, the newest. */
export function relatedTo(
  projection: MemoryProjection,
  terms: readonly string[],
  maxWords: number,
): number[] {
  const { index } = projection;
  const known = terms.flatMap((term) => index.numberOf(term) ?? []);
  const having = (term: number) => index.postingsOf(term).length;
  const shared = new Map<number, number>();
  for (const term of known.sort((a, b) => having(a) - having(b)).slice(0, RAREST_RELATED)) {
    for (const posting of index.postingsOf(term).slice(-MAX_READ)) {
      const memory = documentIn(posting);
      if (projection.traitsOf(memory).statement.length > maxWords) continue;
      shared.set(memory, (shared.get(memory) ?? 0) + 1);
    }
  }
  const precedes = ([one, some]: [number, number], [other, more]: [number, number]) =>
    more - some || (projection.idOf(one) > projection.idOf(other) ? -1 : 1);
  return [...shared]
    .sort(precedes)
    .slice(0, MAX_RELATED)
    .map(([memory]) => memory);
}

/** Share of a text's terms that the memories must hold together. */
const COVERED = 0.8;
/** Terms that each of the memories must hold, or all of them if the text has fewer. */
const SHARED = 3;

/**
 * Returns those of the memories that share words with a text, or none unless together they hold nearly all of
 * its words.
 */
export function sharingWords(
  projection: MemoryProjection,
  ids: readonly string[],
  terms: readonly string[],
): string[] {
  if (ids.length === 0) return [];
  const { index } = projection;
  const numbers = new Set(terms.flatMap((term) => index.numberOf(term) ?? []));
  if (numbers.size < COVERED * terms.length) return [];
  const covered = new Set<number>();
  const sharing = ids.filter((id) => {
    const memory = projection.numberOf(id);
    if (memory === undefined) return false;
    const shared = sharedTerms(index.contentsOf(memory), numbers);
    for (const term of shared) covered.add(term);
    return shared.length >= Math.min(SHARED, terms.length);
  });
  return covered.size < COVERED * terms.length ? [] : sharing;
}

import { inOtherWords } from "../../../text/lexicon/lexicon.ts";
import { rarity } from "../../../text/search/bm25.ts";
import { stemOf } from "../../../text/stems.ts";
import { STOP_WORDS } from "../../../text/stop-words.ts";
import type { Asked } from "./matching.ts";
import type { MemoryProjection } from "./memory-projection.ts";

/** Maximum number of terms of a query that are searched; the first ones are kept. */
const MAX_TERMS = 256;
/** Words for the present that name no thing: most corrections have one, so that they would be found by it alone. */
const ONLY_NOW = new Set(["now", "currently", "nowadays"]);

/** Returns the terms of a query with their weights, and the word of the query behind each. */
export function queryOf(
  projection: MemoryProjection,
  words: readonly string[],
): Asked & { wordOf: ReadonlyMap<number, string> } {
  const { index } = projection;
  const inShort = new Map<number, number>();
  const wordOf = new Map<number, string>();
  for (const word of words) {
    const term = STOP_WORDS.has(word) ? undefined : index.numberOf(stemOf(word));
    if (term === undefined || index.postingsOf(term).length === 0) continue;
    if (inShort.size === MAX_TERMS && !inShort.has(term)) continue;
    inShort.set(term, (inShort.get(term) ?? 0) + 1);
    if (!wordOf.has(term)) wordOf.set(term, word);
  }
  const inOwnWords = new Map(inShort);
  const shares = new Map<number, number>();
  for (const { term, askedBy, share } of relatedTerms(projection, words)) {
    if (inOwnWords.has(term)) continue;
    if (inShort.size === MAX_TERMS && !inShort.has(term)) continue;
    inShort.set(term, (inShort.get(term) ?? 0) + share);
    if (share <= (shares.get(term) ?? 0)) continue;
    shares.set(term, share);
    wordOf.set(term, askedBy);
  }
  const onlyNow = [...inOwnWords.keys()].filter((term) => ONLY_NOW.has(wordOf.get(term) as string));
  if (onlyNow.length < inShort.size) for (const term of onlyNow) inShort.set(term, 0);
  return { inShort, inContext: inOwnWords.size > 0 ? inOwnWords : inShort, wordOf };
}

/**
 * Returns the known terms that are related to a query's words. One that is rarer than its word with all that is related
 * to it weighs less: else a memory that has one of many other words for "reach" precedes what names the person.
 */
function relatedTerms({ index, count }: MemoryProjection, words: readonly string[]) {
  const related = [...inOtherWords(words)].flatMap(({ name, ...rest }) => {
    const term = index.numberOf(name);
    return term === undefined ? [] : [{ term, ...rest }];
  });
  const having = (term: number) => index.postingsOf(term).length;
  const rarityOf = (memories: number) => rarity(count, Math.min(memories, count));
  const memories = new Map<string, number>();
  for (const { term, askedBy } of related) {
    memories.set(askedBy, (memories.get(askedBy) ?? ownMemories(askedBy)) + having(term));
  }
  return related.map(({ term, askedBy, share }) => {
    const relative = rarityOf(memories.get(askedBy) as number) / rarityOf(having(term));
    return { term, askedBy, share: share * Math.sqrt(Math.min(1, relative)) };
  });

  function ownMemories(phrase: string): number {
    const terms = phrase.split(" ").flatMap((word) => index.numberOf(stemOf(word)) ?? []);
    return terms.reduce((sum, term) => sum + having(term), 0);
  }
}

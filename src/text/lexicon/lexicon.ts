import { stemOf } from "../stems.ts";
import { STOP_WORDS } from "../stop-words.ts";
import kinds from "./kinds.json" with { type: "json" };
import business from "./same/business.json" with { type: "json" };
import code from "./same/code.json" with { type: "json" };
import data from "./same/data.json" with { type: "json" };
import delivery from "./same/delivery.json" with { type: "json" };
import ui from "./same/interface.json" with { type: "json" };
import life from "./same/life.json" with { type: "json" };
import operations from "./same/operations.json" with { type: "json" };
import security from "./same/security.json" with { type: "json" };
import testing from "./same/testing.json" with { type: "json" };

const SAME = [code, testing, delivery, operations, data, security, ui, business, life];

/** Weight of a thing if another of its kind is asked for: "do we use npm" should find pnpm. */
const OF_ITS_KIND = 0.5;

/** By a term or a pair of terms of a query, the related terms to search for and their weights. */
const related = new Map<string, Map<string, number>>();

function relate(name: string, terms: readonly string[], share = 1): void {
  const known = related.get(name) ?? new Map();
  for (const term of terms) {
    if (term !== name && !term.includes(" ")) known.set(term, Math.max(share, known.get(term) ?? 0));
  }
  related.set(name, known);
}

/** The first word of the lexicon with each stem. */
const wordsByStem = new Map<string, string>();

/** Splits a list into stemmed phrases; the words of a phrase are hyphenated. */
function termsOf(list: string): string[] {
  return list.split(" ").map((phrase) => {
    const words = phrase.split("-");
    for (const word of words) if (!wordsByStem.has(stemOf(word))) wordsByStem.set(stemOf(word), word);
    return words.map(stemOf).join(" ");
  });
}

// Names of a kind, and things of that kind.
for (const [names, list] of Object.entries(kinds)) {
  const things = termsOf(list);
  for (const name of termsOf(names)) relate(name, things);
  for (const thing of things) relate(thing, things, OF_ITS_KIND);
}
// Synonyms, or words for the same matter.
for (const list of SAME.flat()) {
  const terms = termsOf(list);
  for (const term of terms) relate(term, terms);
}

/** Whether a word or its stem is a stop word: "getting". */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || STOP_WORDS.has(stemOf(word));
}

export interface OtherWord {
  /** A stem. */
  name: string;
  /** A word with that stem. */
  word: string;
  /** The words of the query that it stands for. */
  askedBy: string;
  /** Its weight, where a word of the query counts 1. */
  share: number;
}

/** Yields the terms related to a query's words, those related to pairs of words first. */
export function* inOtherWords(words: readonly string[]): Generator<OtherWord> {
  const said = words.filter((word) => !isStopWord(word));
  // Pairs as they stand in the query ("sign in"), and without stop words ("owner of the service").
  const phrases = new Set([...inPairs(words), ...inPairs(said)]);
  for (const askedBy of [...phrases, ...said]) {
    const parts = askedBy.split(" ");
    for (const [name, share] of related.get(parts.map(stemOf).join(" ")) ?? [])
      yield { name, word: wordsByStem.get(name) as string, askedBy, share: parts.length * share };
  }
}

function inPairs(words: readonly string[]): string[] {
  return words.slice(1).map((word, at) => `${words[at]} ${word}`);
}

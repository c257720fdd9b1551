import { stemOf } from "../../../text/stems.ts";
import { STOP_WORDS } from "../../../text/stop-words.ts";
import { KINDS, SAME } from "./words.ts";

const MAX_PHRASE = 2;

/** What a thing counts where another of its kind is asked for: "do we use npm" means to hear of pnpm. */
const OF_ITS_KIND = 0.5;

/** By a term or two of a query, together, what else is worth looking for, and what each counts. */
const related = new Map<string, Map<string, number>>();

function relate(name: string, terms: readonly string[], share = 1): void {
  const known = related.get(name) ?? new Map();
  for (const term of terms) {
    if (term !== name && !term.includes(" ")) known.set(term, Math.max(share, known.get(term) ?? 0));
  }
  related.set(name, known);
}

function termsOf(list: string): string[] {
  return list.split(" ").map((phrase) => phrase.split("-").map(stemOf).join(" "));
}

for (const line of KINDS.trim().split("\n")) {
  const [names, things] = line.split(": ").map(termsOf) as [string[], string[]];
  for (const name of names) relate(name, things);
  for (const thing of things) relate(thing, things, OF_ITS_KIND);
}
for (const line of SAME.trim().split("\n")) {
  const terms = termsOf(line);
  for (const term of terms) relate(term, terms);
}

/** Whether a word of a query asks for nothing, in any of its forms: "getting". */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || STOP_WORDS.has(stemOf(word));
}

export interface OtherWord {
  /** A stem. */
  name: string;
  /** The words of the query that it stands for. */
  askedBy: string;
  /** What it counts beside a word of the query. */
  share: number;
}

/** What a query asks for in other words, those first that more of its words stand for. */
export function* inOtherWords(words: readonly string[]): Generator<OtherWord> {
  const said = words.filter((word) => !isStopWord(word));
  for (let length = MAX_PHRASE; length > 0; length--) {
    for (let at = 0; at + length <= said.length; at++) {
      const phrase = said.slice(at, at + length);
      const askedBy = phrase.join(" ");
      for (const [name, share] of related.get(phrase.map(stemOf).join(" ")) ?? [])
        yield { name, askedBy, share: length * share };
    }
  }
}

import { stemOf } from "../../../text/stems.ts";
import { termsOf } from "../../../text/terms.ts";
import type { Unit } from "../units.ts";

/** The terms of a query. */
export interface QueryTerms {
  terms: string[];
  /** How often each term occurs in the query. */
  weights: number[];
  /** The speakers that the query names, in lower case. */
  speakers: ReadonlySet<string>;
}

const MAX_TERMS = 64;
/** Words of questions about conversations, whatever the subject. */
const QUESTION_WORDS = new Set(
  `summarize summary discuss discussion talk think thought say said mention group team member meeting speaker opinion
view idea describe explain conclusion conclude decide decision agree disagree propose suggest recommend feel regard
concern respect relate advice reason reach come respond response attitude`
    .split(/\s+/)
    .map(stemOf),
);

/** Returns terms to rank sentences by. Every word counts. */
export function queryTermsOf(query: string): QueryTerms {
  return { ...counted(termsOf(query)), speakers: new Set() };
}

/**
 * Returns terms to rank conversations by: without the names of speakers, and without the words of questions unless no
 * other is left.
 */
export function conversationTermsOf(query: string, units: readonly Unit[]): QueryTerms {
  const lower = query.toLowerCase();
  const present = new Set(units.flatMap(({ speaker }) => speaker ?? []));
  const speakers = new Set([...present].filter((speaker) => lower.includes(speaker)));
  const names = new Set([...speakers].flatMap(termsOf));
  const terms = termsOf(query).filter((term) => !names.has(term));
  const telling = terms.filter((term) => !QUESTION_WORDS.has(term));
  return { ...counted(telling.length > 0 ? telling : terms), speakers };
}

function counted(terms: readonly string[]): { terms: string[]; weights: number[] } {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const most = [...counts].slice(0, MAX_TERMS);
  return { terms: most.map(([term]) => term), weights: most.map(([, count]) => count) };
}

import type { Steps } from "../../store/projection.ts";
import { wordsInPieces } from "../../text/in-pieces.ts";
import type { TermWeights } from "../../text/search/inverted-index.ts";
import { stemOf } from "../../text/stems.ts";
import { STOP_WORDS } from "../../text/stop-words.ts";
import { wordsOf } from "../../text/words.ts";
import type { MemoryDocument } from "./documents.ts";
import { type Statement, statementIn } from "./statement.ts";

/** Weight of a word in the metadata's strings (captions, sources, notes), where a word of the content counts 1. */
const METADATA_WEIGHT = 0.5;
/** Maximum number of terms that a memory is indexed by. */
const MAX_TERMS = 2000;
/** Maximum number of these that come from the content, so that there is room for tags, the date and metadata. */
const MAX_CONTENT_TERMS = 1900;
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const SPEAKER = /^(\p{Lu}[\p{L}\p{N} .'-]{0,40}):\s/u;
const QUESTION = /[?？]\s*$/u;

export interface Contents {
  /** Weights by stemmed term, for search. */
  weights: TermWeights;
  /** The words of the content, for comparison. */
  statement: Statement;
}

export function* contentsOf({ content, tags, at, metadata }: MemoryDocument): Steps<Contents> {
  const weights = new Map<string, number>();
  const count = (words: readonly string[], weight: number, maxTerms = MAX_TERMS): void => {
    for (const word of words) {
      if (STOP_WORDS.has(word)) continue;
      const term = stemOf(word);
      const before = weights.get(term);
      if (before !== undefined || weights.size < maxTerms) weights.set(term, (before ?? 0) + weight);
    }
  };
  const words = yield* wordsInPieces(content, wordsOf);
  count(words, 1, MAX_CONTENT_TERMS);
  yield;
  for (const tag of tags) count(wordsOf(tag), 1);
  count(wordsOf(dateIn(at)), 1);
  for (const text of textsIn(metadata)) count(wordsOf(text), METADATA_WEIGHT);
  return { weights, statement: statementIn(words) };
}

/** Returns the first distinct terms of a text, by which memories that say the same are found. */
export function termsIn(words: readonly string[]): string[] {
  const terms = new Set<string>();
  for (const word of words) {
    if (terms.size >= MAX_CONTENT_TERMS) break;
    if (!STOP_WORDS.has(word)) terms.add(stemOf(word));
  }
  return [...terms];
}

/** Returns the agent, or else the name before the colon of `Name: …` in a thread, in lower case. */
export function speakerOf({
  agent,
  thread,
  content,
}: Pick<MemoryDocument, "agent" | "thread" | "content">): string | undefined {
  const name = agent ?? (thread === undefined ? undefined : SPEAKER.exec(content)?.[1]);
  const words = name && wordsOf(name).join(" ");
  return words || undefined;
}

export function asksQuestion({ content }: MemoryDocument): boolean {
  return QUESTION.test(content);
}

/** Formats a date as people write it, in UTC: `8 may 2023`. */
function dateIn(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

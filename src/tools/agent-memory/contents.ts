import type { Steps } from "../../store/projection.ts";
import { wordsInPieces } from "../../text/in-pieces.ts";
import type { TermWeights } from "../../text/search/inverted-index.ts";
import { stemOf } from "../../text/stems.ts";
import { STOP_WORDS } from "../../text/stop-words.ts";
import { wordsOf } from "../../text/words.ts";
import type { MemoryDocument } from "./documents.ts";
import { type Statement, statementIn } from "./statement.ts";

/** What strings beside the content count: captions, sources, notes. */
const METADATA_WEIGHT = 0.5;
/** Terms that a memory is found by, and those of them that its content may take up: the first. */
const MAX_TERMS = 2000;
const MAX_CONTENT_TERMS = 1900;
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const SPEAKER = /^(\p{Lu}[\p{L}\p{N} .'-]{0,40}):\s/u;
const QUESTION = /[?？]\s*$/u;

export interface Contents {
  /** What a memory is found by. */
  weights: TermWeights;
  /** What it is compared by. */
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

/** The first terms of a text, each once: what others that say the same are looked for by. */
export function termsIn(words: readonly string[]): string[] {
  const terms = new Set<string>();
  for (const word of words) {
    if (terms.size >= MAX_CONTENT_TERMS) break;
    if (!STOP_WORDS.has(word)) terms.add(stemOf(word));
  }
  return [...terms];
}

/** The agent, or who speaks by the form `Name: …`, in lower case. */
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

/** As people write it: `8 may 2023`. */
function dateIn(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

import { stemOf } from "../../text/stems.ts";
import { STOP_WORDS } from "../../text/stop-words.ts";
import { wordsOf } from "../../text/words.ts";
import type { MemoryDocument } from "./documents.ts";
import type { TermWeights } from "./inverted-index.ts";

/** What strings beside the content count: captions, sources, notes. */
const METADATA_WEIGHT = 0.5;
const MONTHS = "january february march april may june july august september october november december".split(
  " ",
);
const SPEAKER = /^(\p{Lu}[\p{L}\p{N} .'-]{0,40}):\s/u;
const QUESTION = /[?？]\s*$/u;

/** What a memory is found by. */
export function termWeightsOf({ content, tags, at, metadata }: MemoryDocument): TermWeights {
  const weights = new Map<string, number>();
  const count = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      if (STOP_WORDS.has(word)) continue;
      const term = stemOf(word);
      weights.set(term, (weights.get(term) ?? 0) + weight);
    }
  };
  count(content, 1);
  for (const tag of tags) count(tag, 1);
  count(dateIn(at), 1);
  for (const text of textsIn(metadata)) count(text, METADATA_WEIGHT);
  return weights;
}

/** The agent, or who speaks by the form `Name: …`, in lower case. */
export function speakerOf({ agent, thread, content }: MemoryDocument): string | undefined {
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

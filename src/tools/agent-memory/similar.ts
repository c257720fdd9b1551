import { termsOf } from "../../text/terms.ts";
import { documentIn } from "./inverted-index.ts";
import type { MemoryProjection } from "./memory-projection.ts";

const RAREST = 3;
const MOST_READ = 2000;
const MOST_FOUND = 10;
/** Tags, dates and metadata lengthen a memory beyond its content, never shorten it. */
const SHORTEST = 0.75;

/** Memories of a group that may say the same as a text: those that share its rarest words. */
export function similarTo(projection: MemoryProjection, group: string, content: string): string[] {
  const { index } = projection;
  const terms = [...new Set(termsOf(content))];
  const known = terms.flatMap((term) => index.numberOf(term) ?? []);
  const having = (term: number) => index.postingsOf(term).length;
  const rarest = known.sort((a, b) => having(a) - having(b)).slice(0, RAREST);
  const found = new Set<number>();
  for (const term of rarest) {
    for (const posting of index.postingsOf(term).slice(-MOST_READ)) {
      const memory = documentIn(posting);
      if (projection.traitsOf(memory).group !== group) continue;
      if (index.contentsOf(memory).length < SHORTEST * terms.length) continue;
      found.add(memory);
      if (found.size >= MOST_FOUND) return [...found].map((each) => projection.idOf(each));
    }
  }
  return [...found].map((each) => projection.idOf(each));
}

import { termIn } from "../../../text/search/inverted-index.ts";
import type { Asked } from "./matching.ts";
import type { MemoryProjection } from "./memory-projection.ts";
import { NONE } from "./threads.ts";

/** How many neighbours in a thread are considered: as many as lend their words (see `matching.ts`). */
const BEFORE = 3;
const AFTER = 2;

export interface Reasons {
  /** Words of the query that the memory or its neighbours hold, or hold another word for. */
  matched: string[];
  /** The reasons for recalling it as text, strongest first. */
  why: string[];
}

interface Question extends Asked {
  /** By term, the word of the query that asked for it. */
  wordOf: ReadonlyMap<number, string>;
  /** Whether the query names the memory's speaker. */
  isOfNamed: boolean;
}

/** Explains why a memory was recalled. */
export function reasonsFor(
  projection: MemoryProjection,
  memory: number,
  { inContext, inShort, wordOf, isOfNamed }: Question,
): Reasons {
  const own = termsOf(projection, [memory]);
  const around = termsOf(projection, neighboursOf(projection, memory));
  const isAsked = (term: number) => inContext.has(term) && inContext !== inShort;
  const words = (holds: (term: number) => boolean) => [
    ...new Set([...wordOf].filter(([term]) => holds(term)).map(([, word]) => word)),
  ];
  const said = words((term) => own.has(term) && isAsked(term));
  const otherwise = words((term) => own.has(term) && !isAsked(term)).filter((word) => !said.includes(word));
  const lent = words((term) => !own.has(term) && around.has(term)).filter(
    (word) => !said.includes(word) && !otherwise.includes(word),
  );
  const replaced = projection.traitsOf(memory).supersedes.length > 0;
  return {
    matched: words((term) => own.has(term) || around.has(term)),
    why: [
      ...(said.length > 0 ? [`says ${said.join(", ")}`] : []),
      ...(otherwise.length > 0 ? [`has other words for ${otherwise.join(", ")}`] : []),
      ...(lent.length > 0 ? [`its thread says ${lent.join(", ")}`] : []),
      ...(isOfNamed ? [`said by ${projection.speakers.nameOf(memory)}`] : []),
      ...(replaced ? ["took the place of what was stored before"] : []),
    ],
  };
}

function termsOf({ index }: MemoryProjection, memories: readonly number[]): Set<number> {
  const terms = new Set<number>();
  for (const memory of memories) for (const content of index.contentsOf(memory)) terms.add(termIn(content));
  return terms;
}

function neighboursOf({ threads }: MemoryProjection, memory: number): number[] {
  const found: number[] = [];
  let before = threads.before(memory);
  for (let distance = 0; before !== NONE && distance < BEFORE; distance++) {
    found.push(before);
    before = threads.before(before);
  }
  let after = threads.after(memory);
  for (let distance = 0; after !== NONE && distance < AFTER; distance++) {
    found.push(after);
    after = threads.after(after);
  }
  return found;
}

import type { Input } from "../../../contract/endpoint.ts";
import { DAY_MS } from "../../../system/durations.ts";
import { bestOf } from "../../../text/search/best.ts";
import type { agentMemoryContract } from "../contract.ts";
import type { Filters } from "../memory.ts";
import type { Recalled } from "./memory-kind.ts";
import type { MemoryProjection, Traits } from "./memory-projection.ts";
import { queryOf } from "./query.ts";
import { reasonsFor } from "./reasons.ts";
import { relevance } from "./relevance.ts";

type RecallInput = Omit<Input<typeof agentMemoryContract.recall>, "uses">;

/** Factor for a memory whose speaker the query names. */
const SPOKEN_BY_NAMED = 1.3;
/** Factor for a memory that asks a question. */
const QUESTION = 0.9;
/** How far importance, freshness and use move a score: enough to decide between memories of similar relevance. */
const IMPORTANCE_WEIGHT = 0.2;
const FRESHNESS_WEIGHT = 0.1;
const USE_WEIGHT = 0.02;
const MAX_USES_LOG = 5;
const HALF_LIFE_MS = 30 * DAY_MS;
const MIN_WEIGHT = 1 - IMPORTANCE_WEIGHT / 2;
const MAX_WEIGHT = 1 + IMPORTANCE_WEIGHT / 2 + FRESHNESS_WEIGHT + USE_WEIGHT * MAX_USES_LOG;
/** The lowest factor that one memory can get, relative to the highest that another can. */
const MIN_CHANGE = (QUESTION * MIN_WEIGHT) / (SPOKEN_BY_NAMED * MAX_WEIGHT);

/** Words that limit a query to memories in force. */
const NOW = new Set(["now", "latest", "current", "currently", "today", "nowadays"]);
/** Maximum number of steps from a memory, along those that superseded it, to the one in force. */
const MAX_STEPS = 100;

/** @param now milliseconds since the epoch. */
export function recall(projection: MemoryProjection, input: RecallInput, now: number): Recalled[] {
  const { q, limit, order } = input;
  const accepts = (memory: number) => isWanted(projection.traitsOf(memory), input, now);
  const weigh = (memory: number) => (order === "relevance" ? 1 : weightOf(projection.traitsOf(memory), now));
  const { named, words } = projection.speakers.namedIn(q);
  const asked = queryOf(projection, words);
  const spokenByNamed = (memory: number) => named.has(projection.speakers.nameOf(memory) as string);

  if (asked.inShort.size === 0) {
    // Unlike an empty query, one of punctuation or unknown words alone finds nothing.
    if (q.trim() !== "" && named.size === 0) return [];
    const listed = [...projection.all()].filter(
      (memory) => accepts(memory) && (named.size === 0 || spokenByNamed(memory)),
    );
    const importance = (memory: number) => projection.traitsOf(memory).importance;
    const best = bestOf(listed, limit, (a, b) =>
      importance(a) === importance(b) ? newer(projection, a, b) : importance(a) > importance(b),
    );
    return best.map((memory) => ({
      id: projection.idOf(memory),
      score: importance(memory),
      relevance: 0,
      matched: [],
      why: [
        ...(named.size > 0 ? [`said by ${projection.speakers.nameOf(memory)}`] : []),
        `importance ${importance(memory)}`,
      ],
      ...supersededBy(projection, memory),
      size: projection.traitsOf(memory).size,
    }));
  }

  const onlyInForce = words.some((word) => NOW.has(word));
  const { scores, found } = relevance(projection, asked, accepts);
  const factor = (memory: number) =>
    (spokenByNamed(memory) ? SPOKEN_BY_NAMED : 1) * (projection.asksQuestion(memory) ? QUESTION : 1);
  const promising = within(scores, found, limit, accepts);
  const ranked = promising.map((memory) => {
    const relevance = (scores[memory] as number) * factor(memory);
    return { memory, relevance, score: relevance * weigh(memory) };
  });
  ranked.sort((a, b) => b.score - a.score || (newer(projection, a.memory, b.memory) ? -1 : 1));
  return inForceFirst(projection, ranked, { accepts, onlyInForce, limit }).map(
    ({ memory, relevance, score }) => ({
      id: projection.idOf(memory),
      score,
      relevance,
      ...reasonsFor(projection, memory, { ...asked, isOfNamed: spokenByNamed(memory) }),
      ...supersededBy(projection, memory),
      size: projection.traitsOf(memory).size,
    }),
  );
}

interface Ranked {
  memory: number;
  relevance: number;
  score: number;
}

/** Puts the memory that superseded another directly before it, at the rank of the better of the two, up to a limit. */
function inForceFirst(
  projection: MemoryProjection,
  ranked: readonly Ranked[],
  {
    accepts,
    onlyInForce,
    limit,
  }: { accepts: (memory: number) => boolean; onlyInForce: boolean; limit: number },
): Ranked[] {
  const placed = new Map<number, Ranked>();
  for (const each of ranked) {
    if (placed.size >= limit) break;
    const inForce = inForceFor(projection, each.memory, accepts);
    if (!placed.has(inForce)) placed.set(inForce, { ...each, memory: inForce });
    if (!onlyInForce && !placed.has(each.memory)) placed.set(each.memory, each);
  }
  return [...placed.values()].slice(0, limit);
}

/** Returns the last accepted memory in the chain of those that superseded a memory, or the memory itself. */
function inForceFor(
  projection: MemoryProjection,
  memory: number,
  accepts: (memory: number) => boolean,
): number {
  let inForce = memory;
  let next = projection.supersededBy(memory);
  for (let step = 0; next !== undefined && step < MAX_STEPS; step++) {
    if (accepts(next)) inForce = next;
    next = projection.supersededBy(next);
  }
  return inForce;
}

export function supersededBy(projection: MemoryProjection, memory: number): Pick<Recalled, "supersededBy"> {
  const by = projection.supersededBy(memory);
  return by === undefined ? {} : { supersededBy: projection.idOf(by) };
}

/** Returns the memories that could be among the first `limit` after factors and weights are applied. */
function within(
  scores: Float64Array,
  found: Int32Array,
  limit: number,
  accepts: (memory: number) => boolean,
): number[] {
  const best = bestOf(found, limit, (a, b) => (scores[a] as number) > (scores[b] as number), accepts);
  const last = best.length < limit ? 0 : (scores[best[limit - 1] as number] as number);
  const promising: number[] = [];
  for (const memory of found) {
    if ((scores[memory] as number) >= last * MIN_CHANGE && accepts(memory)) promising.push(memory);
  }
  return promising;
}

export function isWanted(
  traits: Traits,
  { agent, thread, tag, kind, minImportance = 0 }: Filters & { minImportance?: number | undefined },
  now: number,
): boolean {
  return (
    traits.expiresAt > now &&
    traits.importance >= minImportance &&
    (agent === undefined || traits.agent === agent) &&
    (thread === undefined || traits.thread === thread) &&
    (kind === undefined || traits.kind === kind) &&
    (tag === undefined || traits.tags.includes(tag))
  );
}

function weightOf({ importance, at, uses }: Traits, now: number): number {
  const freshness = 2 ** -(Math.max(0, now - at) / HALF_LIFE_MS);
  const use = Math.min(MAX_USES_LOG, Math.log2(1 + uses));
  return 1 + IMPORTANCE_WEIGHT * (importance - 0.5) + FRESHNESS_WEIGHT * freshness + USE_WEIGHT * use;
}

function newer(projection: MemoryProjection, a: number, b: number): boolean {
  return projection.idOf(a) > projection.idOf(b);
}

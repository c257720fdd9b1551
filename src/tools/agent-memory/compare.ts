import type { Steps } from "../../store/projection.ts";
import type { Probe } from "./analyse.ts";
import { type EchoSource, echoes, echoSource, type Hashed, hashed, sayTheSame } from "./sameness.ts";
import { groupNumber, type MemoryProjection } from "./searching/memory-projection.ts";
import { sharingWords, similarTo } from "./similar.ts";
import type { Statement } from "./statement.ts";

/** What a text is beside what is known: an echo of a memory, the same as one, as one before it in the call, or new. */
export type Verdict =
  | { outcome: "new" }
  | { outcome: "echo"; id: string }
  | { outcome: "same"; id: string; words: number }
  | { outcome: "same"; item: number };

/** A text of the call that is, or went into, a memory. */
interface Kept {
  verdict: Verdict;
  said: Hashed;
}

/**
 * What each of some texts is beside a project's memories, and beside those before it in the call. The time
 * goes by how long the texts are, and those few memories that have nearly the same words.
 *
 * @param recalledSince from when on what was recalled may come back as an echo.
 */
export function* compare(
  projection: MemoryProjection,
  probes: readonly Probe[],
  recalledSince: number,
): Steps<Verdict[]> {
  const recent = recentStatements(projection, recalledSince);
  /** By group; what says more of a memory stands in for it. */
  const groups = new Map<string, Map<string, Kept>>();
  const verdicts: Verdict[] = [];
  for (const [item, { group, digest, statement, terms }] of probes.entries()) {
    yield;
    const said = hashed(statement);
    const echoed = recent.echoedBy(said, terms);
    if (echoed !== undefined) {
      verdicts.push({ outcome: "echo", id: echoed });
      continue;
    }
    const kept = groups.get(group) ?? new Map<string, Kept>();
    groups.set(group, kept);
    const same = sameIn(kept, said) ?? (yield* sameAs(projection, kept, { group, digest, said, terms }));
    verdicts.push(same?.verdict ?? { outcome: "new" });
    const verdict = same?.verdict ?? ({ outcome: "same", item } as const);
    const saysMore = !same || statement.length > same.said.words.length;
    kept.set(nameOf(verdict), { verdict, said: saysMore ? said : same.said });
  }
  return verdicts;
}

function nameOf(verdict: Verdict): string {
  if ("item" in verdict) return `item ${verdict.item}`;
  return "id" in verdict ? verdict.id : "";
}

function sameIn(kept: ReadonlyMap<string, Kept>, said: Hashed): Kept | undefined {
  for (const each of kept.values()) if (sayTheSame(said, each.said)) return each;
}

function* sameAs(
  projection: MemoryProjection,
  kept: ReadonlyMap<string, Kept>,
  { group, digest, said, terms }: Omit<Probe, "statement"> & { said: Hashed },
): Steps<Kept | undefined> {
  const exact = said.words.length > 0 ? projection.withDigest(digest) : undefined;
  const similar = exact === undefined ? similarTo(projection, groupNumber(group), terms) : [exact];
  for (const memory of similar) {
    const { id, statement } = projection.traitsOf(memory);
    if (kept.has(id)) continue;
    const other = hashed(statement);
    yield;
    if (sayTheSame(said, other)) {
      return { verdict: { outcome: "same", id, words: statement.length }, said: other };
    }
  }
}

/** What was recalled just now, taken apart where a text has enough of its words. */
function recentStatements(projection: MemoryProjection, since: number) {
  const ids = projection.recent.since(since);
  const sources = new Map<string, EchoSource>();

  function sourceOf(id: string): EchoSource {
    let source = sources.get(id);
    if (!source) {
      const memory = projection.numberOf(id);
      source = echoSource(memory === undefined ? NOTHING : projection.traitsOf(memory).statement);
      sources.set(id, source);
    }
    return source;
  }

  return {
    /** The memory that shares the most words with a text that is an echo. */
    echoedBy(said: Hashed, terms: readonly string[]): string | undefined {
      const recalled = sharingWords(projection, ids, terms);
      if (!echoes(said, recalled.map(sourceOf))) return undefined;
      const words = new Set(said.words);
      const shared = (id: string) => sourceOf(id).words.filter((word) => words.has(word)).length;
      return [...recalled].sort((a, b) => shared(b) - shared(a))[0];
    },
  };
}

const NOTHING: Statement = new Uint32Array(0);

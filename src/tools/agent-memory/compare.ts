import type { Steps } from "../../store/projection.ts";
import type { ComparisonKey } from "./analyse.ts";
import { isOfOneself, MAX_CORRECTED_WORDS, replaces } from "./contradicting/contradiction.ts";
import { echoes, type Hashed, hashed, restates } from "./sameness.ts";
import { groupNumber, type MemoryProjection } from "./searching/memory-projection.ts";
import { relatedTo, sharingWords, similarTo } from "./similar.ts";
import type { Statement } from "./statement.ts";

/** An existing memory by id, or the memory stored for an earlier text of the same call by that text's index. */
export type Source = { id: string } | { item: number };

/**
 * How a text relates to what is known: it echoes a memory, says the same as a memory or as an earlier text of
 * the call, or is new.
 */
export type Verdict =
  | { outcome: "new"; supersedes?: Source[] }
  | { outcome: "echo"; id: string }
  | { outcome: "same"; id: string; words: number }
  | { outcome: "same"; item: number };

/** A text of the call that became a memory or was merged into one. */
interface Kept {
  source: Source;
  verdict: Verdict;
  said: Hashed;
  speaker: string | undefined;
}

/** Maximum number of memories that one text supersedes. */
const MAX_SUPERSEDED = 10;

/**
 * Compares each text with the project's memories and with the texts before it in the call. Takes time
 * proportional to the length of the texts, plus that of the few memories with nearly the same words, and to the square
 * of the number of texts, which `store-many-job.ts` bounds.
 *
 * @param recalledSince the earliest time of a recall that a text can be an echo of.
 */
export function* compare(
  projection: MemoryProjection,
  probes: readonly ComparisonKey[],
  recalledSince: number,
): Steps<Verdict[]> {
  const recent = recentStatements(projection, recalledSince);
  /** Texts of the call by group, then by memory. Each entry has the longest wording of its memory. */
  const groups = new Map<string, Map<string, Kept>>();
  const superseded = new Set<string>();
  const verdicts: Verdict[] = [];

  function isInForce(source: Source): boolean {
    if (superseded.has(nameOf(source))) return false;
    const memory = "id" in source ? projection.numberOf(source.id) : undefined;
    return memory === undefined || projection.supersededBy(memory) === undefined;
  }

  function* supersededBy({ speaker, statement, isAddition, terms }: ComparisonKey): Steps<Source[]> {
    if (isAddition || statement.length > MAX_CORRECTED_WORDS) return [];
    const ofOneself = isOfOneself(statement);
    const isReplaced = (source: Source, said: Statement, by: string | undefined): boolean =>
      (by === speaker || !(ofOneself || isOfOneself(said))) && isInForce(source) && replaces(statement, said);
    const found: Source[] = [];
    const inCall = new Set<string>();
    for (const kept of [...groups.values()].flatMap((group) => [...group.values()])) {
      inCall.add(nameOf(kept.source));
      if (isReplaced(kept.source, kept.said.words, kept.speaker)) found.push(kept.source);
    }
    for (const memory of relatedTo(projection, terms, MAX_CORRECTED_WORDS)) {
      yield;
      const { id, statement: said } = projection.traitsOf(memory);
      if (inCall.has(id) || !isReplaced({ id }, said, projection.speakers.nameOf(memory))) continue;
      found.push({ id });
    }
    return found.slice(0, MAX_SUPERSEDED);
  }

  for (const [item, probe] of probes.entries()) {
    yield;
    const { group, digest, statement, terms, speaker } = probe;
    const said = hashed(statement);
    const echoed = recent.echoedBy(said, terms);
    if (echoed !== undefined) {
      verdicts.push({ outcome: "echo", id: echoed });
      continue;
    }
    const kept = groups.get(group) ?? new Map<string, Kept>();
    groups.set(group, kept);
    const same =
      sameIn(
        [...kept.values()].filter(({ source }) => isInForce(source)),
        said,
      ) ?? (yield* sameAs(projection, kept, { group, digest, said, terms, speaker }));
    if (same) verdicts.push(same.verdict);
    else {
      const supersedes = yield* supersededBy(probe);
      for (const source of supersedes) superseded.add(nameOf(source));
      verdicts.push({ outcome: "new", ...(supersedes.length > 0 && { supersedes }) });
    }
    const source = same?.source ?? { item };
    const verdict = same?.verdict ?? ({ outcome: "same", item } as const);
    const saysMore = !same || statement.length > same.said.words.length;
    kept.set(nameOf(source), { source, verdict, said: saysMore ? said : same.said, speaker });
  }
  return verdicts;
}

function nameOf(source: Source): string {
  return "item" in source ? `item ${source.item}` : source.id;
}

function sameIn(kept: readonly Kept[], said: Hashed): Kept | undefined {
  return kept.find((each) => restates(said, each.said));
}

function* sameAs(
  projection: MemoryProjection,
  kept: ReadonlyMap<string, Kept>,
  { group, digest, said, terms, speaker }: Omit<ComparisonKey, "statement" | "isAddition"> & { said: Hashed },
): Steps<Kept | undefined> {
  const exact = said.words.length > 0 ? projection.withDigest(digest) : undefined;
  const similar = exact === undefined ? similarTo(projection, groupNumber(group), terms) : [exact];
  for (const memory of similar) {
    const { id, statement } = projection.traitsOf(memory);
    if (kept.has(id) || projection.supersededBy(memory) !== undefined) continue;
    const other = hashed(statement);
    yield;
    if (restates(said, other)) {
      const source = { id };
      const verdict = { outcome: "same", id, words: statement.length } as const;
      return { source, verdict, said: other, speaker };
    }
  }
}

/** The recently recalled memories. Each is hashed only if a text shares enough words with it. */
function recentStatements(projection: MemoryProjection, since: number) {
  const ids = projection.recent.since(since);
  const statements = new Map<string, Hashed>();

  function statementOf(id: string): Hashed {
    let statement = statements.get(id);
    if (!statement) {
      const memory = projection.numberOf(id);
      statement = hashed(memory === undefined ? NOTHING : projection.traitsOf(memory).statement);
      statements.set(id, statement);
    }
    return statement;
  }

  function isInForce(id: string): boolean {
    const memory = projection.numberOf(id);
    return memory !== undefined && projection.supersededBy(memory) === undefined;
  }

  return {
    /** If the text is an echo, returns the recalled memory that shares the most words with it. */
    echoedBy(said: Hashed, terms: readonly string[]): string | undefined {
      const recalled = sharingWords(projection, ids, terms);
      const repeated = recalled.filter((id) => restates(said, statementOf(id)));
      // Repeating a memory that was superseded meanwhile is news, not an echo.
      if (repeated.length > 0 && !repeated.some(isInForce)) return undefined;
      if (!echoes(said, recalled.map(statementOf))) return undefined;
      const words = new Set(said.words);
      const shared = (id: string) => statementOf(id).words.filter((word) => words.has(word)).length;
      const [echoed] = [...recalled].sort((a, b) => shared(b) - shared(a));
      return echoed;
    },
  };
}

const NOTHING: Statement = new Uint32Array(0);

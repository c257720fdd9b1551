import type { ProjectionWithin } from "../../store/projection.ts";
import type { Space, Transaction } from "../../store/store.ts";
import type { Analysed } from "./analyse.ts";
import { COUNTER, type MemoryDocument, memories, uses } from "./documents.ts";
import { FreshMemories, type Source } from "./fresh-memories.ts";
import { keywordsOf } from "./keywords.ts";
import { groupOf, type MemoryProjection } from "./memory-projection.ts";
import { echoes, sayTheSame, statementOf } from "./sameness.ts";
import { sharingWords, similarTo } from "./similar.ts";

/** For so long what was recalled may come back as an echo. */
const ECHO_MS = 15 * 60_000;

export interface Stored {
  id: string;
  document: MemoryDocument;
  outcome: "stored" | "merged" | "echo";
}

/** In order: each may merge into one before it. */
export async function storeMemories(
  tx: Transaction,
  space: Space,
  { projection, written }: ProjectionWithin<MemoryProjection>,
  batch: readonly (Analysed & { id: string })[],
  now: number,
): Promise<Stored[]> {
  const fresh = new FreshMemories();
  for (const { id, value } of written(memories)) if (value) fresh.put(id, value);
  const stored: Stored[] = [];
  const counts = { merged: 0, echoes: 0 };
  for (const each of batch) {
    const { document, statement } = each;
    const recalled = await echoedBy(tx, space, projection, each, now);
    const statements = recalled.map((source) => source.statement);
    const source = echoes(statement, statements) && closest(statement, recalled);
    if (source) {
      stored.push({ id: source.id, document: source.document, outcome: "echo" });
      counts.echoes++;
      continue;
    }
    const same = await sameAs(tx, space, projection, fresh, each);
    const kept: MemoryDocument = same
      ? merge(same, each, now)
      : { ...document, at: each.at ?? now, createdAt: now, updatedAt: now, merges: 0 };
    const id = same?.id ?? each.id;
    const { expiresAt } = kept;
    await tx.put(memories, space, id, kept, expiresAt === undefined ? {} : { expiresAt });
    fresh.put(id, kept, kept.content === document.content ? statement : same?.statement);
    stored.push({ id, document: kept, outcome: same ? "merged" : "stored" });
    if (same) counts.merged++;
  }
  for (const [name, count] of Object.entries(counts)) {
    if (count > 0) await tx.increment(COUNTER, space, name, count);
  }
  return stored;
}

/** Of what was recalled just now, what has enough of a text's words. */
async function echoedBy(
  tx: Transaction,
  space: Space,
  projection: MemoryProjection,
  { terms }: Analysed,
  now: number,
): Promise<Source[]> {
  const sources: Source[] = [];
  for (const id of sharingWords(projection, projection.recent.since(now - ECHO_MS), terms)) {
    const document = await tx.get(memories, space, id);
    if (document) sources.push({ id, document, statement: statementOf(document.content) });
  }
  return sources;
}

/** The source that shares the most words. */
function closest(statement: readonly string[], sources: readonly Source[]): Source | undefined {
  const words = new Set(statement);
  const shared = (source: Source) => source.statement.filter((word) => words.has(word)).length;
  return [...sources].sort((a, b) => shared(b) - shared(a))[0];
}

async function sameAs(
  tx: Transaction,
  space: Space,
  projection: MemoryProjection,
  fresh: FreshMemories,
  { document, statement, terms }: Analysed,
): Promise<Source | undefined> {
  const group = groupOf(document);
  const found = fresh.find(group, statement);
  if (found) return found;
  for (const id of similarTo(projection, group, terms)) {
    const other = fresh.has(id) ? undefined : await tx.get(memories, space, id);
    if (!other) continue;
    const source = { id, document: other, statement: statementOf(other.content) };
    if (sayTheSame(statement, source.statement)) return source;
  }
}

/** What says more survives as the text; what lasts longer, as the time. */
function merge({ document: before, statement: said }: Source, each: Analysed, now: number): MemoryDocument {
  const { document: given, statement } = each;
  const saysMore = statement.length > said.length;
  const content = saysMore ? given.content : before.content;
  const { expiresAt: _, ...kept } = before;
  const expiresAt = Math.max(
    before.expiresAt ?? Number.POSITIVE_INFINITY,
    given.expiresAt ?? Number.POSITIVE_INFINITY,
  );
  const metadata = { ...before.metadata, ...given.metadata };
  const moreImportant = given.importance > before.importance ? given : before;
  return {
    ...kept,
    content,
    keywords: keywordsOf(content),
    tags: [...new Set([...before.tags, ...given.tags])],
    importance: moreImportant.importance,
    importanceReasons: moreImportant.importanceReasons,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Number.isFinite(expiresAt) && { expiresAt }),
    updatedAt: now,
    merges: before.merges + 1,
  };
}

/** A memory and its uses; undefined where there is none. */
export async function forgetMemory(tx: Transaction, space: Space, id: string): Promise<boolean> {
  if (!(await tx.get(memories, space, id))) return false;
  await tx.delete(memories, space, id);
  await tx.delete(uses, space, id);
  return true;
}

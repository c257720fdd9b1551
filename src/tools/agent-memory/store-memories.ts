import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import type { Analysed } from "./analyse.ts";
import type { Verdict } from "./compare.ts";
import { COUNTER, type MemoryDocument, memories, uses } from "./documents.ts";

export interface Stored {
  id: string;
  document: MemoryDocument;
  outcome: "stored" | "merged" | "echo";
}

/** Memories to store in one transaction, with the projection's verdicts on them. */
export interface Slice {
  /** Each with the id that it gets if it is new. */
  items: readonly (Analysed & { id: string })[];
  verdicts: readonly Verdict[];
  /** Ids of the memories written since the projection answered, by digest. */
  fresh: ReadonlyMap<string, string>;
}

/** Bounds of a memory after merging. */
const MAX_TAGS = 64;
const MAX_METADATA_CHARACTERS = 16 * 1024;

/** Stores the memories in order, since each may merge into one before it. */
export async function storeMemories(
  tx: Transaction,
  space: Space,
  { items, verdicts, fresh }: Slice,
  now: number,
): Promise<Stored[]> {
  const stored: Stored[] = [];
  const counts = { merged: 0, echoes: 0 };
  /** Ids of the memories stored in place of ones that were forgotten meanwhile. */
  const standIns = new Map<string, string>();
  const current = new Map<string, MemoryDocument>();

  async function find(id: string): Promise<MemoryDocument | undefined> {
    return current.get(id) ?? (await tx.get(memories, space, id));
  }

  /** Returns the ids of the memories that the verdict supersedes and that still exist. */
  async function superseded(verdict: Verdict): Promise<Pick<MemoryDocument, "supersedes">> {
    const sources = (verdict.outcome === "new" && verdict.supersedes) || [];
    const ids = sources.flatMap((source) => ("id" in source ? source.id : (stored[source.item]?.id ?? [])));
    const there = await Promise.all(ids.map(find));
    const supersedes = ids.filter((_, index) => there[index] !== undefined);
    return supersedes.length > 0 ? { supersedes } : {};
  }

  for (const [index, item] of items.entries()) {
    const verdict = verdicts[index] as Verdict;
    const known = "item" in verdict ? stored[verdict.item]?.id : "id" in verdict ? verdict.id : undefined;
    const sameId = known === undefined ? fresh.get(item.document.digest) : (standIns.get(known) ?? known);
    const before = sameId === undefined ? undefined : await find(sameId);
    if (before && sameId !== undefined && verdict.outcome === "echo") {
      stored.push({ id: sameId, document: before, outcome: "echo" });
      counts.echoes++;
      continue;
    }
    const id = before && sameId !== undefined ? sameId : item.id;
    const said = before?.words ?? ("words" in verdict ? verdict.words : 0);
    const document: MemoryDocument = before
      ? merge(before, said, item, now)
      : {
          ...item.document,
          at: item.at ?? now,
          createdAt: now,
          updatedAt: now,
          merges: 0,
          ...(await superseded(verdict)),
        };
    const { expiresAt } = document;
    await tx.put(memories, space, id, document, expiresAt === undefined ? {} : { expiresAt });
    current.set(id, document);
    if (!before && known !== undefined) standIns.set(known, id);
    if (before) counts.merged++;
    stored.push({ id, document, outcome: before ? "merged" : "stored" });
  }
  for (const [name, count] of Object.entries(counts)) {
    if (count > 0) await tx.increment(COUNTER, space, name, count);
  }
  return stored;
}

/**
 * Merges a memory into an earlier one. The longer text, the later expiry and the higher importance win.
 *
 * @param said number of words of the earlier one.
 */
function merge(
  before: MemoryDocument,
  said: number,
  { document: given }: Analysed,
  now: number,
): MemoryDocument {
  const text = given.words > said ? given : before;
  const { content, keywords, digest, words = said } = text;
  const { expiresAt: _, ...kept } = before;
  const expiresAt = Math.max(
    before.expiresAt ?? Number.POSITIVE_INFINITY,
    given.expiresAt ?? Number.POSITIVE_INFINITY,
  );
  const metadata = { ...before.metadata, ...given.metadata };
  const fits = JSON.stringify(metadata).length <= MAX_METADATA_CHARACTERS;
  const moreImportant = given.importance > before.importance ? given : before;
  return {
    ...kept,
    content,
    keywords,
    tags: [...new Set([...before.tags, ...given.tags])].slice(0, MAX_TAGS),
    importance: moreImportant.importance,
    importanceReasons: moreImportant.importanceReasons,
    ...(fits && Object.keys(metadata).length > 0 && { metadata }),
    ...(Number.isFinite(expiresAt) && { expiresAt }),
    updatedAt: now,
    merges: before.merges + 1,
    ...defined({ digest }),
    words,
  };
}

/** Maximum size of the changes read since the projection answered. If there are more, the projection is asked again. */
const MAX_FRESH_BYTES = 64 * 1024;

/**
 * Returns the ids of the memories written since a version, by digest, or undefined if there are too many.
 *
 * @param version where to start, as in `Transaction.changes`.
 */
export async function writtenSince(
  tx: Transaction,
  space: Space,
  version: string | undefined,
): Promise<Map<string, string> | undefined> {
  const found = await tx.changes(memories, space, version, { maxBytes: MAX_FRESH_BYTES });
  if (found === "reset" || found.more) return undefined;
  const fresh = new Map<string, string>();
  for (const { id, text } of found.entries) {
    const { digest, words } = text === undefined ? {} : (JSON.parse(text) as MemoryDocument);
    // A memory without words says nothing that another could repeat.
    if (digest !== undefined && words) fresh.set(digest, id);
  }
  return fresh;
}

/** Deletes a memory and its uses. Returns false if it does not exist. */
export async function forgetMemory(tx: Transaction, space: Space, id: string): Promise<boolean> {
  if (!(await tx.get(memories, space, id))) return false;
  await tx.delete(memories, space, id);
  await tx.delete(uses, space, id);
  return true;
}

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

/** What is stored in one transaction, with what the projection said of it. */
export interface Slice {
  /** Each with the id that it gets if it is new. */
  items: readonly (Analysed & { id: string })[];
  verdicts: readonly Verdict[];
  /** What was written since the projection answered: ids by digest. */
  fresh: ReadonlyMap<string, string>;
}

/** What merging makes of a memory stays as small as what may be stored. */
const MAX_TAGS = 64;
const MAX_METADATA_CHARACTERS = 16 * 1024;

/** In order: each may merge into one before it. */
export async function storeMemories(
  tx: Transaction,
  space: Space,
  { items, verdicts, fresh }: Slice,
  now: number,
): Promise<Stored[]> {
  const stored: Stored[] = [];
  const counts = { merged: 0, echoes: 0 };
  /** What stands for a memory that was forgotten meanwhile. */
  const standIns = new Map<string, string>();
  const current = new Map<string, MemoryDocument>();

  async function find(id: string): Promise<MemoryDocument | undefined> {
    return current.get(id) ?? (await tx.get(memories, space, id));
  }

  /** What is still there of what a text takes the place of. */
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
 * What says more survives as the text; what lasts longer, as the time.
 *
 * @param said words of the one before.
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

/** What was written of a space since its projection answered is looked at up to here: more is asked about anew. */
const MAX_FRESH_BYTES = 64 * 1024;

/**
 * Memories that were written since, by digest; undefined where these are too many.
 *
 * @param version from where on, as `Transaction.changes` has it.
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
    // What has no words says nothing that another could say too.
    if (digest !== undefined && words) fresh.set(digest, id);
  }
  return fresh;
}

/** A memory and its uses; false where there is none. */
export async function forgetMemory(tx: Transaction, space: Space, id: string): Promise<boolean> {
  if (!(await tx.get(memories, space, id))) return false;
  await tx.delete(memories, space, id);
  await tx.delete(uses, space, id);
  return true;
}

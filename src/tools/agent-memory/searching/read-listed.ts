import { Reply } from "../../../contract/endpoint.ts";
import { inParts, jsonText } from "../../../contract/json-text.ts";
import type { Space, Store, Transaction } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import { COUNTER, type MemoryDocument, memories, memoryOf, uses } from "../documents.ts";
import type { Memory } from "../memory.ts";
import type { Listed } from "./memory-kind.ts";
import { orWithoutRecording } from "./or-without-recording.ts";

/** A memory as stored, with the memories that it replaced. */
export interface Read {
  memory: Memory;
  replaced?: { id: string; content: string; at: string }[];
}

/** The fields of an answer besides its items. */
interface Rest {
  nextCursor?: string;
  partial?: true;
}

type Answer<T> = { items: (Omit<T, "id" | "size"> & Read)[] } & Rest;

/** Characters that are read, counted and serialised at a time, few enough not to delay other requests. */
const MAX_SLICE_CHARACTERS = 64 * 1024;
/** Bounds of the replaced memories that are shown. */
const MAX_REPLACED = 5;
const MAX_REPLACED_CHARACTERS = 400;

/**
 * Reads the found memories from the store, and counts a use of each if `counts` is set. Long answers are streamed,
 * and read slice by slice.
 */
export async function readListed<T extends Listed>(
  store: Pick<Store, "transact">,
  space: Space,
  { items, ...rest }: { items: readonly T[] } & Rest,
  { counts, now }: { counts: boolean; now: number },
): Promise<Answer<T> | Reply<Answer<T>>> {
  const [first = [], ...more] = inParts(items, MAX_SLICE_CHARACTERS);
  const read = (slice: readonly T[], isFirst: boolean) =>
    orWithoutRecording((records) =>
      store.transact(async (tx) => {
        // Nothing is written where nothing was found: a reader makes no project.
        if (counts && isFirst && records && slice.length > 0)
          await tx.increment(COUNTER, space, "recalls", 1);
        return readSlice(tx, space, slice, { counts: counts && records, now });
      }),
    );
  const found = await read(first, true);
  if (more.length === 0) return { items: found, ...rest };
  // The others are read as the client takes them: answers that nobody reads would fill the memory.
  async function* all() {
    yield found;
    for (const slice of more) yield await read(slice, false);
  }
  return Reply.raw(jsonText({ items: all(), ...rest }));
}

async function readSlice<T extends Listed>(
  tx: Transaction,
  space: Space,
  slice: readonly T[],
  { counts, now }: { counts: boolean; now: number },
): Promise<Answer<T>["items"]> {
  const items: Answer<T>["items"] = [];
  for (const { id, size: _, ...found } of slice) {
    const document = await tx.get(memories, space, id);
    if (!document) continue;
    const before = await tx.get(uses, space, id);
    const use = counts ? { count: (before?.count ?? 0) + 1, lastAt: now } : before;
    if (use && counts) {
      const { expiresAt } = document;
      await tx.put(uses, space, id, use, expiresAt === undefined ? {} : { expiresAt });
    }
    items.push({
      ...found,
      memory: memoryOf(id, document, use),
      ...(await readReplaced(tx, space, document)),
    });
  }
  return items;
}

/** Reads the memories that a document superseded, as far as they still exist. */
export async function readReplaced(
  tx: Transaction,
  space: Space,
  { supersedes = [] }: MemoryDocument,
): Promise<Pick<Read, "replaced">> {
  const replaced: NonNullable<Read["replaced"]> = [];
  for (const id of supersedes.slice(0, MAX_REPLACED)) {
    const document = await tx.get(memories, space, id);
    if (!document) continue;
    const content = [...document.content.slice(0, 2 * MAX_REPLACED_CHARACTERS)];
    replaced.push({ id, content: content.slice(0, MAX_REPLACED_CHARACTERS).join(""), at: iso(document.at) });
  }
  return replaced.length > 0 ? { replaced } : {};
}

import { type Output, Reply } from "../../../contract/endpoint.ts";
import { orWithoutRecording } from "../../../contract/or-without-recording.ts";
import type { Space, Store, Transaction } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import type { agentMemoryContract } from "../contract.ts";
import { COUNTER, type MemoryDocument, memories, memoryOf, uses } from "../documents.ts";
import type { Recalled } from "./memory-kind.ts";

type Answer = Output<typeof agentMemoryContract.recall>;

/** Read, counted and written out at a time: little enough to hold nobody up. */
const MAX_SLICE_CHARACTERS = 64 * 1024;
/** Shown of what a memory took the place of. */
const MAX_REPLACED = 5;
const MAX_REPLACED_CHARACTERS = 400;

/**
 * What was recalled as it stands in the store, each counted as used once more where it is to be. What is
 * long is read in slices, and sent piece by piece.
 */
export async function readRecalled(
  store: Pick<Store, "transact">,
  space: Space,
  { items, isPartial }: { items: readonly Recalled[]; isPartial: boolean },
  { counts, now }: { counts: boolean; now: number },
): Promise<Answer | Reply<Answer>> {
  const partial = isPartial ? { partial: true as const } : {};
  const [first = [], ...more] = slicesOf(items);
  const read = (slice: readonly Recalled[], isFirst: boolean) =>
    orWithoutRecording((records) =>
      store.transact(async (tx) => {
        if (counts && isFirst && records) await tx.increment(COUNTER, space, "recalls", 1);
        return readSlice(tx, space, slice, { counts: counts && records, now });
      }),
    );
  const found = await read(first, true);
  if (more.length === 0) return { items: found, ...partial };
  const pieces = found.map((item) => JSON.stringify(item));
  for (const slice of more) {
    await new Promise(setImmediate);
    for (const item of await read(slice, false)) pieces.push(JSON.stringify(item));
  }
  return Reply.raw(textOf(pieces, isPartial));
}

async function readSlice(
  tx: Transaction,
  space: Space,
  slice: readonly Recalled[],
  { counts, now }: { counts: boolean; now: number },
): Promise<Answer["items"]> {
  const items: Answer["items"] = [];
  for (const { id, size: _, ...found } of slice) {
    const document = await tx.get(memories, space, id);
    if (!document) continue;
    const before = await tx.get(uses, space, id);
    const use = counts ? { count: (before?.count ?? 0) + 1, lastAt: now } : before;
    if (use && counts) {
      const { expiresAt } = document;
      await tx.put(uses, space, id, use, expiresAt === undefined ? {} : { expiresAt });
    }
    const replaced = await readReplaced(tx, space, document);
    items.push({ memory: memoryOf(id, document, use), ...found, ...(replaced.length > 0 && { replaced }) });
  }
  return items;
}

async function readReplaced(
  tx: Transaction,
  space: Space,
  { supersedes = [] }: MemoryDocument,
): Promise<NonNullable<Answer["items"][number]["replaced"]>> {
  const replaced = [];
  for (const id of supersedes.slice(0, MAX_REPLACED)) {
    const document = await tx.get(memories, space, id);
    if (!document) continue;
    const content = [...document.content.slice(0, 2 * MAX_REPLACED_CHARACTERS)];
    replaced.push({ id, content: content.slice(0, MAX_REPLACED_CHARACTERS).join(""), at: iso(document.at) });
  }
  return replaced;
}

function slicesOf(items: readonly Recalled[]): Recalled[][] {
  const slices: Recalled[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (characters + item.size > MAX_SLICE_CHARACTERS) {
      slices.push([]);
      characters = 0;
    }
    slices.at(-1)?.push(item);
    characters += item.size;
  }
  return slices;
}

async function* textOf(items: readonly string[], isPartial: boolean): AsyncGenerator<string> {
  let mark = '{"items":[';
  for (const item of items) {
    yield mark + item;
    mark = ",";
  }
  yield isPartial ? '],"partial":true}' : "]}";
}

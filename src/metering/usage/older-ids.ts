import { collection, type Space, type Transaction } from "../../store/store.ts";
import { batchNote } from "./batch-note.ts";

/** What an id identifies. */
export type Kind = "batch" | "event";

/*
 * An earlier version stored a document per id. These documents are migrated, some with every batch, and are consulted
 * until then.
 */

/** In the project's space: ids of events that were counted. */
export const usageEventIds = collection<1>("usage_event_ids");
/** In the project's space, by id and part: the outcomes of a batch's events. */
export const usageBatches = collection<{ fingerprint: string; outcomes: string }>("usage_batches");

/** Ids migrated at a time. */
const SLICE = 500;

/** Yields some of the old ids, and deletes them. */
export async function* olderIds(
  tx: Transaction,
  space: Space,
): AsyncGenerator<{ kind: Kind; id: string; note?: string }> {
  for (const { id, value } of await tx.list(usageBatches, space, { limit: SLICE })) {
    await tx.delete(usageBatches, space, id);
    yield { kind: "batch", id, note: batchNote(value) };
  }
  for (const { id } of await tx.list(usageEventIds, space, { limit: SLICE })) {
    await tx.delete(usageEventIds, space, id);
    yield { kind: "event", id };
  }
}

/** Returns the note of an id not yet migrated; undefined if there is none. */
export async function olderNote(
  tx: Transaction,
  space: Space,
  kind: Kind,
  id: string,
): Promise<string | undefined> {
  if (kind === "event") return (await tx.has(usageEventIds, space, id)) ? "" : undefined;
  const batch = await tx.get(usageBatches, space, id);
  return batch && batchNote(batch);
}

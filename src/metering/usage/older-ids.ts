import { collection, type Space, type Transaction } from "../../store/store.ts";
import { batchNote } from "./batch-note.ts";

/** What an id is of. */
export type Kind = "batch" | "event";

/*
 * Once every id was a document of its own. What stores of that time hold is taken over, some of it with
 * every batch, and looked at until then.
 */

/** In the project's space: ids of events that were counted. */
export const usageEventIds = collection<1>("usage_event_ids");
/** In the project's space, by id and part: what became of the events of a batch. */
export const usageBatches = collection<{ fingerprint: string; outcomes: string }>("usage_batches");

/** Taken over at a time. */
const SLICE = 500;

/** Deletes what it yields. */
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

/** The note of an id that was not taken over yet; undefined where there is none. */
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

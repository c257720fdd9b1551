import { setImmediate as pause } from "node:timers/promises";
import type { Output } from "../../contract/endpoint.ts";
import { framesIn } from "../../contract/frames.ts";
import { type Fault, Problem } from "../../contract/problem.ts";
import type { Space, Store, Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { knowledgeGraphContract } from "./contract.ts";
import { entities } from "./documents.ts";
import { inBatches } from "./in-batches.ts";
import type { ImportSlice } from "./read-import.ts";
import { recordEntity, recordRelationship, requireEnds } from "./record.ts";

type Answer = Output<typeof knowledgeGraphContract.import>;

export interface ImportPorts {
  store: Store;
  clock: Pick<Clock, "now" | "monotonic">;
  /** For entities that come without one. */
  newId: () => string;
}

/** Read and written side by side; then the time is looked at. */
const BATCH = 50;
/** One transaction takes no longer than this, and one batch. */
const MAX_MS = 6;
const MAX_FAULTS = 100;

/**
 * Records what `packImport` packed, slice by slice, each committed on its own. Nothing is written unless
 * all ends of relationships are there.
 */
export async function recordImport(
  { store, clock, newId }: ImportPorts,
  space: Space,
  packed: Uint8Array,
): Promise<Answer> {
  const now = clock.now();
  const faults: Fault[] = [];
  let answer: Answer = { entities: { created: 0, updated: 0 }, relationships: { created: 0, updated: 0 } };
  for (const frame of framesIn(packed)) {
    await pause();
    const slice: ImportSlice = JSON.parse(Buffer.from(frame).toString());
    if (slice.kind === "ends") {
      faults.push(...(await missing(store, space, slice)));
      continue;
    }
    if (faults.length > 0) break;
    if (slice.kind === "entities") for (const entity of slice.items) entity.id ??= newId();
    for (let start = 0; start < slice.items.length; ) {
      const before = answer;
      const recorded = await store.transact(async (tx) => {
        const begin = clock.monotonic();
        let [end, created] = [start, 0];
        while (end < slice.items.length && (end === start || clock.monotonic() - begin < MAX_MS)) {
          created += await recordBatch(tx, space, slice, { start: end, now });
          end = Math.min(end + BATCH, slice.items.length);
        }
        return withCounts(before, slice.kind, { created, updated: end - start - created });
      }, "step");
      start += countOf(recorded[slice.kind]) - countOf(before[slice.kind]);
      answer = recorded;
    }
  }
  if (faults.length > 0) throw unknownEnds(faults);
  const all = answer;
  return store.transact(async () => all, "answer");
}

/** How many of the batch are new. */
async function recordBatch(
  tx: Transaction,
  space: Space,
  slice: Exclude<ImportSlice, { kind: "ends" }>,
  { start, now }: { start: number; now: number },
): Promise<number> {
  let recorded: { created: boolean }[];
  if (slice.kind === "entities") {
    const items = slice.items.slice(start, start + BATCH);
    recorded = await inBatches(items, (item) => recordEntity(tx, space, item.id as string, item, now));
  } else {
    const items = slice.items.slice(start, start + BATCH);
    // They were there when the import began; another request may have deleted one since.
    await requireEnds(
      tx,
      space,
      items.map(([, relationship]) => relationship),
    );
    recorded = await inBatches(items, ([key, item]) => recordRelationship(tx, space, key, item, now));
  }
  return recorded.filter(({ created }) => created).length;
}

async function missing(
  store: Store,
  space: Space,
  { ids, items }: Extract<ImportSlice, { kind: "ends" }>,
): Promise<Fault[]> {
  const found = await store.transact((tx) => inBatches(ids, (id) => tx.has(entities, space, id)));
  return items.filter((_, index) => !found[index]);
}

function unknownEnds(faults: readonly Fault[]): Problem {
  const [{ path, message }] = faults as [Fault];
  return new Problem("unprocessable", `"${path}": ${message}. Add it first.`, {
    errors: faults.slice(0, MAX_FAULTS),
  });
}

function withCounts(answer: Answer, kind: keyof Answer, { created, updated }: Answer["entities"]): Answer {
  const before = answer[kind];
  return { ...answer, [kind]: { created: before.created + created, updated: before.updated + updated } };
}

function countOf({ created, updated }: Answer["entities"]): number {
  return created + updated;
}

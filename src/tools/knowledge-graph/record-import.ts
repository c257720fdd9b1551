import type { Caller } from "../../contract/caller.ts";
import type { Output } from "../../contract/endpoint.ts";
import { type Fault, Problem } from "../../contract/problem.ts";
import { type Space, type Store, spaceOf, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { InFlight } from "../../system/in-flight.ts";
import { othersFirst } from "../../system/others-first.ts";
import type { knowledgeGraphContract } from "./contract.ts";
import { ENTITIES, entities, marks } from "./documents.ts";
import { inBatches } from "./in-batches.ts";
import { type ImportSlice, pathOfEnd } from "./read-import.ts";
import { recordEntity, recordRelationship, requireEnds } from "./record.ts";

type Answer = Output<typeof knowledgeGraphContract.import>;

export interface ImportPorts {
  store: Store;
  clock: Pick<Clock, "now">;
  /** Creates the id of an entity that comes without one. */
  newId: () => string;
}

/** Maximum number of slices not known to be durable: the next is recorded while earlier ones are committed. */
const MAX_IN_FLIGHT = 4;
const MAX_FAULTS = 100;

/**
 * Records what `packImport` or `packLines` packed, slice by slice, each in its own transaction. Nothing is written
 * unless all ends of relationships exist.
 */
export async function recordImport(
  { store, clock, newId }: ImportPorts,
  caller: Pick<Caller, "accountId" | "projectId" | "answer" | "step">,
  packed: AsyncIterable<Uint8Array>,
): Promise<Answer> {
  const space = spaceOf(caller);
  const now = clock.now();
  const faults: Fault[][] = [];
  const answer: Answer = { entities: { created: 0, updated: 0 }, relationships: { created: 0, updated: 0 } };
  const slices = new InFlight(MAX_IN_FLIGHT);
  const mark = await store.transact((tx) => markIn(tx, space));

  async function take(slice: ImportSlice, index: number): Promise<void> {
    if (slice.kind === "ends") {
      faults[index] = await missing(store, space, slice);
      return;
    }
    if (slice.kind === "entities") for (const entity of slice.items) entity.id ??= newId();
    const { created, updated } = await store.transact(
      (tx) => recordSlice(tx, slice, { space, now, mark }),
      caller.step,
    );
    if (created + updated !== slice.items.length) throw slicedOtherwise();
    answer[slice.kind].created += created;
    answer[slice.kind].updated += updated;
  }

  let last: ImportSlice["kind"] | undefined;
  let count = 0;
  try {
    for await (const part of packed) {
      await othersFirst();
      const slice: ImportSlice = JSON.parse(Buffer.from(part).toString());
      // Each kind depends on those before it.
      if (slice.kind !== last) await slices.drain();
      if (faults.flat().length > 0) break;
      last = slice.kind;
      const index = count++;
      await slices.start(() => take(slice, index));
    }
  } finally {
    await slices.drain();
  }
  if (faults.flat().length > 0) throw unknownEnds(faults.flat());
  return store.transact(async (tx) => {
    if (answer.entities.created > 0 && !(await markIn(tx, space))) {
      await tx.put(marks, space, ENTITIES, { id: newId() });
    }
    return answer;
  }, caller.answer);
}

interface Import {
  space: Space;
  /** When it began, in milliseconds since the epoch. */
  now: number;
  /** The mark before its ends were looked up. */
  mark: string | undefined;
}

async function recordSlice(
  tx: Transaction,
  slice: Exclude<ImportSlice, { kind: "ends" }>,
  { space, now, mark }: Import,
): Promise<Answer["entities"]> {
  let recorded: { created: boolean }[];
  if (slice.kind === "entities") {
    recorded = await inBatches(slice.items, (item) => recordEntity(tx, space, item.id as string, item, now));
  } else {
    // The ends existed when the import began. Looking them up again takes longer than the rest of the import.
    const isUnchanged = mark !== undefined && mark === (await markIn(tx, space));
    if (!isUnchanged) {
      await requireEnds(
        tx,
        space,
        slice.items.map(([, relationship]) => relationship),
      );
    }
    recorded = await inBatches(slice.items, ([key, item]) => recordRelationship(tx, space, key, item, now));
  }
  const created = recorded.filter(({ created }) => created).length;
  return { created, updated: recorded.length - created };
}

async function markIn(tx: Transaction, space: Space): Promise<string | undefined> {
  return (await tx.get(marks, space, ENTITIES))?.id;
}

async function missing(
  store: Store,
  space: Space,
  { of, items }: Extract<ImportSlice, { kind: "ends" }>,
): Promise<Fault[]> {
  const found = await store.transact((tx) => inBatches(items, ([id]) => tx.has(entities, space, id)));
  return items
    .filter((_, index) => !found[index])
    .map(([id, place]) => ({ path: pathOfEnd(of, place), message: `there is no entity "${id}"` }));
}

/** The steps kept under an `Idempotency-Key` by another version of the server may be of other slices. */
function slicedOtherwise(): Problem {
  return new Problem(
    "idempotency_mismatch",
    "Another version of the server began this import under this key. Send it again under a new one.",
  );
}

function unknownEnds(faults: readonly Fault[]): Problem {
  const [{ path, message }] = faults as [Fault];
  return new Problem("unprocessable", `"${path}": ${message}. Add it first.`, {
    errors: faults.slice(0, MAX_FAULTS),
  });
}

import type { Input, Output } from "../../contract/endpoint.ts";
import type { Space, Transaction } from "../../store/store.ts";
import type { knowledgeGraphContract } from "./contract.ts";
import { relationshipKey } from "./documents.ts";
import { inBatches } from "./in-batches.ts";
import { type Recorded, recordEntity, recordRelationship, requireEnds } from "./record.ts";

type Import = Input<typeof knowledgeGraphContract.import>;
type Answer = Output<typeof knowledgeGraphContract.import>;

/** Every entity has been given an id. */
interface NamedImport extends Import {
  entities: (Import["entities"][number] & { id: string })[];
}

/** Records what a call holds; of what it holds twice, the last. */
export async function recordImport(
  tx: Transaction,
  space: Space,
  { entities, relationships }: NamedImport,
  now: number,
): Promise<Answer> {
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  const recorded = await inBatches(byId, ([id, entity]) => recordEntity(tx, space, id, entity, now));
  await requireEnds(tx, space, relationships, (index) => `relationships.${index}.`);
  const byKey = new Map(relationships.map((each) => [relationshipKey(each), each]));
  const related = await inBatches(byKey, ([key, relationship]) =>
    recordRelationship(tx, space, key, relationship, now),
  );
  return { entities: countOf(recorded), relationships: countOf(related) };
}

function countOf(all: readonly Recorded<unknown>[]): Answer["entities"] {
  const created = all.filter((each) => each.created).length;
  return { created, updated: all.length - created };
}

import { type Fault, Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { type EntityDocument, entities, type RelationshipDocument, relationships } from "./documents.ts";
import type { NewEntity, NewRelationship } from "./graph-contract.ts";
import { inBatches } from "./in-batches.ts";

/** The stored document, and whether it was created by this write. */
export interface Recorded<Document> {
  document: Document;
  created: boolean;
}

/** Creates an entity, or replaces the one with this id and keeps its time of creation. */
export async function recordEntity(
  tx: Transaction,
  space: Space,
  id: string,
  { type, name, properties }: NewEntity,
  now: number,
): Promise<Recorded<EntityDocument>> {
  const before = await tx.get(entities, space, id);
  const document = { type, name, ...kept(properties), createdAt: before?.createdAt ?? now, updatedAt: now };
  await tx.put(entities, space, id, document);
  return { document, created: !before };
}

/** Creates a relationship, or replaces the one with this `relationshipKey`. Both ends must exist. */
export async function recordRelationship(
  tx: Transaction,
  space: Space,
  key: string,
  { from, to, type, weight, properties }: NewRelationship,
  now: number,
): Promise<Recorded<RelationshipDocument>> {
  const before = await tx.get(relationships, space, key);
  const document: RelationshipDocument = {
    from,
    to,
    type,
    ...defined({ weight }),
    ...kept(properties),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  await tx.put(relationships, space, key, document);
  return { document, created: !before };
}

const MAX_NAMED = 100;

/** Throws `Problem` `unprocessable` if an end is not an entity, and names each. */
export async function requireEnds(
  tx: Transaction,
  space: Space,
  related: readonly NewRelationship[],
): Promise<void> {
  const ids = [...new Set(related.flatMap(({ from, to }) => [from, to]))];
  const found = await inBatches(ids, (id) => tx.has(entities, space, id));
  const unknown = new Set(ids.filter((_, index) => !found[index]));
  if (unknown.size === 0) return;
  const faults = related.flatMap((relationship) =>
    (["from", "to"] as const)
      .filter((end) => unknown.has(relationship[end]))
      .map((end) => ({ path: end, message: `there is no entity "${relationship[end]}"` })),
  );
  const [first] = faults as [Fault];
  throw new Problem("unprocessable", `"${first.path}": ${first.message}. Add it first.`, {
    errors: faults.slice(0, MAX_NAMED),
  });
}

function kept(properties: Record<string, unknown> | undefined) {
  return properties && Object.keys(properties).length > 0 ? { properties } : {};
}

import { Problem } from "../../contract/problem.ts";
import type { Projections } from "../../store/projection.ts";
import type { Collection, Space, Store, Transaction } from "../../store/store.ts";
import {
  ENTITIES,
  entities,
  marks,
  type RelationshipDocument,
  relationshipKey,
  relationships,
} from "./documents.ts";
import { graphKind } from "./graph/graph-kind.ts";
import { inBatches } from "./in-batches.ts";

/** What identifies a relationship. */
type RelationshipEnds = Pick<RelationshipDocument, "from" | "to" | "type">;

interface Deleted {
  entities: number;
  relationships: number;
}

export interface DeletePorts {
  store: Store;
  projections: Projections;
}

/** Relationships deleted in one transaction, and entities. */
const MAX_AT_ONCE = 1000;
/** Bytes of writes since the index answered that are examined at most. */
const MAX_FRESH_BYTES = 64 * 1024;

/** Deletes an entity with all its relationships. `Problem` `not_found`. */
export async function deleteEntity(ports: DeletePorts, space: Space, id: string): Promise<Deleted> {
  const deleted = await deleteTogether(ports, space, [id]);
  if (deleted.entities === 0) throw notFound(`entity "${id}"`);
  return deleted;
}

/** Deletes relationships and entities, as many as are there, the latter with all relationships that they take part in. */
export async function deleteMany(
  ports: DeletePorts,
  space: Space,
  given: { entities: readonly string[]; relationships: readonly RelationshipEnds[] },
): Promise<Deleted> {
  const total: Deleted = { entities: 0, relationships: 0 };
  for (const some of chunksOf(given.relationships)) {
    const keys = new Set(some.map(relationshipKey));
    total.relationships += await ports.store.transact((tx) => deleteFound(tx, relationships, space, keys));
  }
  for (const some of chunksOf(given.entities)) {
    const deleted = await deleteTogether(ports, space, [...new Set(some)]);
    total.entities += deleted.entities;
    total.relationships += deleted.relationships;
  }
  return total;
}

/**
 * Deletes entities with all their relationships. Many of these take several transactions. The last one deletes the
 * entities with the remaining relationships and any added meanwhile, so that no relationship is ever without its ends.
 */
async function deleteTogether(
  { store, projections }: DeletePorts,
  space: Space,
  ids: readonly string[],
): Promise<Deleted> {
  const asked = { ids: [...ids], limit: MAX_AT_ONCE };
  for (let before = 0; ; ) {
    const { answer, versions } = await projections.ask(graphKind, space, "keysAt", asked);
    const isLast = answer.keys.length < MAX_AT_ONCE;
    const deleted = await store.transact(async (tx): Promise<Deleted & { isAll: boolean }> => {
      const keys = new Set(answer.keys);
      const since = versions.get(relationships.name);
      const isAll = isLast && (await addWritten(tx, space, { ids: new Set(ids), keys, since }));
      const gone = await deleteFound(tx, relationships, space, keys);
      if (!isAll) return { isAll, entities: 0, relationships: gone };
      const count = await deleteFound(tx, entities, space, ids);
      if (count > 0) await tx.delete(marks, space, ENTITIES);
      return { isAll, entities: count, relationships: gone };
    });
    before += deleted.relationships;
    if (deleted.isAll) return { entities: deleted.entities, relationships: before };
  }
}

/** Updates keys by what was written at the entities since. Returns false if that is too much to examine. */
async function addWritten(
  tx: Transaction,
  space: Space,
  { ids, keys, since }: { ids: ReadonlySet<string>; keys: Set<string>; since: string | undefined },
): Promise<boolean> {
  const found = await tx.changes(relationships, space, since, { maxBytes: MAX_FRESH_BYTES });
  if (found === "reset" || found.more) return false;
  for (const { id: key, text } of found.entries) {
    const { from, to } = text === undefined ? {} : (JSON.parse(text) as Partial<RelationshipDocument>);
    if ([from, to].some((end) => end !== undefined && ids.has(end))) keys.add(key);
    else keys.delete(key);
  }
  return true;
}

/** Deletes the documents that are there, and returns how many these were. */
async function deleteFound(
  tx: Transaction,
  collection: Collection<unknown>,
  space: Space,
  ids: Iterable<string>,
): Promise<number> {
  const found = await inBatches(ids, async (id) => {
    const isThere = await tx.has(collection, space, id);
    if (isThere) await tx.delete(collection, space, id);
    return isThere;
  });
  return found.filter(Boolean).length;
}

function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += MAX_AT_ONCE)
    yield items.slice(start, start + MAX_AT_ONCE);
}

export async function deleteRelationship(
  store: Store,
  space: Space,
  relationship: RelationshipEnds,
): Promise<Deleted> {
  const { from, to, type } = relationship;
  const key = relationshipKey(relationship);
  return store.transact(async (tx) => {
    if (!(await tx.get(relationships, space, key))) {
      throw notFound(`relationship of type "${type}" from "${from}" to "${to}"`);
    }
    await tx.delete(relationships, space, key);
    return { entities: 0, relationships: 1 };
  });
}

function notFound(what: string): Problem {
  return new Problem("not_found", `There is no ${what} in this project.`);
}

import { Problem } from "../../contract/problem.ts";
import type { Projections } from "../../store/projection.ts";
import type { Space, Store, Transaction } from "../../store/store.ts";
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

interface Deleted {
  entities: number;
  relationships: number;
}

export interface DeletePorts {
  store: Store;
  projections: Projections;
}

/** Relationships deleted in one transaction. */
const MAX_AT_ONCE = 1000;
/** Bytes of writes since the index answered that are examined at most. */
const MAX_FRESH_BYTES = 64 * 1024;

/**
 * Deletes an entity with all its relationships. Many of these take several transactions. The last one deletes the
 * entity with the remaining relationships and any added meanwhile, so that no relationship is ever without its ends.
 */
export async function deleteEntity(
  { store, projections }: DeletePorts,
  space: Space,
  id: string,
): Promise<Deleted> {
  const asked = { id, limit: MAX_AT_ONCE };
  let gone = 0;
  for (;;) {
    const { answer, versions } = await projections.ask(graphKind, space, "keysAt", asked);
    const before = gone;
    const isLast = answer.keys.length < MAX_AT_ONCE;
    const deleted = await store.transact(async (tx): Promise<Deleted | number> => {
      if (!(await tx.get(entities, space, id))) throw notFound(`entity "${id}"`);
      const keys = new Set(answer.keys);
      const isAll =
        isLast && (await addWritten(tx, space, { id, keys, since: versions.get(relationships.name) }));
      await inBatches(keys, (key) => tx.delete(relationships, space, key));
      if (!isAll) return keys.size;
      await tx.delete(entities, space, id);
      await tx.delete(marks, space, ENTITIES);
      return { entities: 1, relationships: before + keys.size };
    });
    if (typeof deleted === "object") return deleted;
    gone += deleted;
  }
}

/** Updates keys by what was written at an entity since. Returns false if that is too much to examine. */
async function addWritten(
  tx: Transaction,
  space: Space,
  { id, keys, since }: { id: string; keys: Set<string>; since: string | undefined },
): Promise<boolean> {
  const found = await tx.changes(relationships, space, since, { maxBytes: MAX_FRESH_BYTES });
  if (found === "reset" || found.more) return false;
  for (const { id: key, text } of found.entries) {
    const { from, to } = text === undefined ? {} : (JSON.parse(text) as Partial<RelationshipDocument>);
    if (from === id || to === id) keys.add(key);
    else keys.delete(key);
  }
  return true;
}

export async function deleteRelationship(
  store: Store,
  space: Space,
  relationship: { from: string; to: string; type: string },
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

import { Problem } from "../../contract/problem.ts";
import type { Projections } from "../../store/projection.ts";
import type { Space, Store } from "../../store/store.ts";
import { entities, relationshipKey, relationships } from "./documents.ts";
import type { GraphProjection } from "./graph-projection.ts";
import { inBatches } from "./in-batches.ts";

interface Deleted {
  entities: number;
  relationships: number;
}

/** With every relationship at it: those of the projection, and those that were written since. */
export async function deleteEntity(
  { store, projections }: { store: Store; projections: Projections<GraphProjection> },
  space: Space,
  id: string,
): Promise<Deleted> {
  await projections.read(space);
  return store.transact(async (tx) => {
    const { projection, written } = await projections.within(tx, space);
    if (!(await tx.get(entities, space, id))) throw notFound(`entity "${id}"`);
    const keys = new Set(projection.graph.keysAt(id));
    for (const { id: key, value } of written(relationships)) {
      if (value?.from === id || value?.to === id) keys.add(key);
      else keys.delete(key);
    }
    await inBatches(keys, (key) => tx.delete(relationships, space, key));
    await tx.delete(entities, space, id);
    return { entities: 1, relationships: keys.size };
  });
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

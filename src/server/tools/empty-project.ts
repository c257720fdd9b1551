import { invalidRequest } from "../../contract/faults.ts";
import type { Collection, Space, Store } from "../../store/store.ts";
import type { AnyTool } from "../../tools/define-tool.ts";

/** Deleted in one transaction: little enough to hold nobody up. */
const SLICE = 200;
/** Deleted for one request, which so ends within seconds. */
const MAX_DELETED = 10_000;

/**
 * Deletes what tools keep in a project. Whatever is written meanwhile, everything of a tool's first collection
 * is gone before any of the next is: no session is left without its files, no relationship without its ends.
 */
export async function emptyProject(
  store: Pick<Store, "transact">,
  space: Space,
  tools: readonly Pick<AnyTool, "collections">[],
): Promise<{ deleted: number; more: boolean }> {
  let deleted = 0;
  for (const { collections = [] } of tools) {
    for (let slice = SLICE; slice === SLICE; deleted += slice) {
      if (deleted >= MAX_DELETED) return { deleted, more: true };
      slice = await deleteSlice(store, space, collections);
      await new Promise(setImmediate);
    }
  }
  return { deleted, more: false };
}

function deleteSlice(
  store: Pick<Store, "transact">,
  space: Space,
  collections: readonly Collection<unknown>[],
): Promise<number> {
  return store.transact(async (tx) => {
    let left = SLICE;
    for (const collection of collections) {
      const ids = await tx.ids(collection, space, { limit: left });
      for (const id of ids) await tx.delete(collection, space, id);
      left -= ids.length;
      if (left === 0) break;
    }
    return SLICE - left;
  });
}

/** Those that keep something: the one of a name, or all. */
export function toolsNamed<T extends Pick<AnyTool, "name" | "collections">>(
  tools: readonly T[],
  name: string | undefined,
): readonly T[] {
  const keeping = tools.filter(({ collections = [] }) => collections.length > 0);
  const named = name === undefined ? keeping : keeping.filter((tool) => tool.name === name);
  if (named.length > 0 || name === undefined) return named;
  const names = keeping.map((tool) => tool.name).join(", ");
  throw invalidRequest([{ path: "tool", message: `must be one of those that keep something: ${names}` }]);
}

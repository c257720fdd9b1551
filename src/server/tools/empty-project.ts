import { deleteCounts } from "../../accounts/closing/delete-counts.ts";
import type { ProjectsHandlersPorts } from "../../accounts/projects/handlers.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { type Collection, projectSpace, type Space, type Store } from "../../store/store.ts";
import { othersFirst } from "../../system/others-first.ts";
import type { AnyTool } from "../../tools/define-tool.ts";

/** Documents deleted in one transaction, few enough not to block others. */
const SLICE = 200;
/** Documents deleted by one request, so that it ends within seconds. */
const MAX_DELETED = 10_000;

type Kept = Pick<AnyTool, "collections" | "counters">;

/**
 * Deletes what tools keep in a project. Even with concurrent writes, the collections of a tool are emptied in order: no
 * session is left without its files, no relationship without its ends.
 */
export async function emptySpace(
  store: Pick<Store, "transact">,
  space: Space,
  tools: readonly Kept[],
): Promise<{ deleted: number; more: boolean }> {
  let deleted = 0;
  for (const { collections = [], counters = [] } of tools) {
    for (let slice = SLICE; slice === SLICE; deleted += slice) {
      if (deleted >= MAX_DELETED) return { deleted, more: true };
      slice = await deleteSlice(store, space, collections);
      await othersFirst();
    }
    for (const counter of counters) await deleteCounts(store, space, counter);
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

/** Returns a function that deletes what one tool, or each, keeps in a project, and audits it. */
export function createEmptyingProject({
  store,
  audit,
  tools,
}: {
  store: Pick<Store, "transact">;
  audit: AuditTrail;
  tools: readonly (Kept & Pick<AnyTool, "name">)[];
}): ProjectsHandlersPorts["emptyProject"] {
  return async (by, projectId, tool) => {
    const named = toolsNamed(tools, tool);
    // Audited first: an interrupted deletion has already deleted a part.
    const before = { tools: named.map(({ name }) => name) };
    await audit.transact(by, async (_, note) =>
      note({ action: "project.emptied", target: { kind: "project", id: projectId }, before }),
    );
    return emptySpace(store, projectSpace(by.accountId, projectId), named);
  };
}

/** Returns the tools that keep something: the one with a name, or all. Throws if none has the name. */
export function toolsNamed<T extends Kept & Pick<AnyTool, "name">>(
  tools: readonly T[],
  name: string | undefined,
): readonly T[] {
  const keeping = tools.filter(
    ({ collections = [], counters = [] }) => collections.length + counters.length > 0,
  );
  const named = name === undefined ? keeping : keeping.filter((tool) => tool.name === name);
  if (named.length > 0 || name === undefined) return named;
  const names = keeping.map((tool) => tool.name).join(", ");
  throw invalidRequest([{ path: "tool", message: `must be one of those that keep something: ${names}` }]);
}

import type { RouteOutput } from "../../../client/routes.ts";
import type { Context } from "../../context.ts";
import { inParts } from "../../../contract/json-text.ts";
import { number } from "../../ui/format.ts";
import type { GraphContent } from "./transfer.ts";

type WholeGraph = RouteOutput<"GET /api/v1/tools/knowledge-graph">;

/** The types of entities that a scan writes. Other types were recorded by people and are not removed. */
const ENTITY_TYPES = new Set([
  "file",
  "function",
  "method",
  "class",
  "interface",
  "type",
  "enum",
  "module",
  "value",
]);
const RELATIONSHIP_TYPES = new Set(["imports", "defines"]);

export interface Stale {
  entities: string[];
  relationships: { from: string; type: string; to: string }[];
}

/**
 * Returns the parts of a repository's graph that a scan did not find again: entities whose ids begin with `within`,
 * their imports and definitions, and packages that nothing imports any more.
 */
export function staleIn(
  graph: Pick<WholeGraph, "entities" | "relationships">,
  content: GraphContent,
  within: string,
): Stale {
  const key = ({ from, type, to }: { from: string; type: string; to: string }) =>
    JSON.stringify([from, type, to]);
  const found = new Set(content.relationships.map(key));
  const ids = new Set(content.entities.map(({ id }) => id));
  const gone = new Set(
    graph.entities
      .filter(({ id, type }) => id.startsWith(within) && ENTITY_TYPES.has(type) && !ids.has(id))
      .map(({ id }) => id),
  );
  const isStale = (each: { from: string; type: string; to: string }) =>
    each.from.startsWith(within) && RELATIONSHIP_TYPES.has(each.type) && !found.has(key(each));
  const relationships = graph.relationships.filter(isStale);
  const stays = new Set<string>();
  for (const each of graph.relationships) {
    if (isStale(each) || gone.has(each.from) || gone.has(each.to)) continue;
    stays.add(each.from).add(each.to);
  }
  const left = new Set(relationships.map(({ to }) => to));
  for (const { id, type } of graph.entities) {
    if (type === "package" && left.has(id) && !stays.has(id) && !ids.has(id)) gone.add(id);
  }
  // Deleting an entity also deletes its relationships.
  return {
    entities: [...gone],
    relationships: relationships
      .filter(({ from, to }) => !gone.has(from) && !gone.has(to))
      .map(({ from, type, to }) => ({ from, type, to })),
  };
}

/** Deletes from the project's graph what a scan did not find again. */
export async function removeStale(context: Context, content: GraphContent, within: string): Promise<Stale> {
  const { client, io, progress } = context;
  const graph = await progress.during("Comparing", client.call("GET /api/v1/tools/knowledge-graph", {}));
  const stale = staleIn(graph, content, within);
  const all = stale.relationships.length + stale.entities.length;
  let removed = 0;
  for (const call of callsFor(stale)) {
    io.interrupted.throwIfAborted();
    const label = `Removing what is gone, ${number(removed)} of ${number(all)}`;
    await progress.during(label, client.call("POST /api/v1/tools/knowledge-graph/delete", call));
    removed += (call.relationships ?? call.entities ?? []).length;
  }
  return stale;
}

/** The bounds of one call, well below the largest body and the most items. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_ITEMS = 5000;

/** Yields what is stale in few calls: one for each item would use up the limits of a plan. */
function* callsFor({ relationships, entities }: Stale): Generator<Partial<Stale>> {
  for (const some of inCalls(relationships)) yield { relationships: some };
  for (const some of inCalls(entities)) yield { entities: some };
}

function inCalls<T>(items: readonly T[]): T[][] {
  const sized = items.map((item) => {
    const size = Math.max(JSON.stringify(item).length + 1, MAX_CHARACTERS / MAX_ITEMS);
    return { item, size };
  });
  return inParts(sized, MAX_CHARACTERS).map((part) => part.map(({ item }) => item));
}

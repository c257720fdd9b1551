import type { RouteOutput } from "../../../client/routes.ts";
import type { Context } from "../../context.ts";
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
  const calls = [
    ...stale.relationships.map(
      (each) => () => client.call("DELETE /api/v1/tools/knowledge-graph/relationship", each),
    ),
    ...stale.entities.map(
      (entityId) => () => client.call("DELETE /api/v1/tools/knowledge-graph/entity/{entityId}", { entityId }),
    ),
  ];
  for (const [index, call] of calls.entries()) {
    io.interrupted.throwIfAborted();
    await progress.during(`Removing what is gone, ${number(index)} of ${number(calls.length)}`, call());
  }
  return stale;
}

import type { RouteOutput } from "../../../client/routes.ts";
import { inParts } from "../../../contract/json-text.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import { Reported } from "../../terminal/present.ts";
import { count, number } from "../../ui/format.ts";
import { type GraphContent, send } from "./transfer.ts";

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

function keyOf({ from, type, to }: { from: string; type: string; to: string }): string {
  return JSON.stringify([from, type, to]);
}

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
  const found = new Set(content.relationships.map(keyOf));
  const ids = new Set(content.entities.map(({ id }) => id));
  const gone = new Set(
    graph.entities
      .filter(({ id, type }) => id.startsWith(within) && ENTITY_TYPES.has(type) && !ids.has(id))
      .map(({ id }) => id),
  );
  const isStale = (each: { from: string; type: string; to: string }) =>
    each.from.startsWith(within) && RELATIONSHIP_TYPES.has(each.type) && !found.has(keyOf(each));
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

/**
 * Replaces what the project's graph has of a repository. Adds first and then deletes what is gone, so that readers
 * meanwhile see too much rather than too little; the other way round only if the account has no room for both.
 *
 * @param within what the ids of its entities begin with.
 */
export async function replaceGraph(
  context: Context,
  content: GraphContent,
  within: string,
): Promise<Outcome> {
  const { client, io, progress } = context;
  const [graph, { planName, bounds }] = await progress.during(
    "Comparing",
    Promise.all([
      client.call("GET /api/v1/tools/knowledge-graph", {}),
      client.call("GET /api/v1/usage/bounds", {}),
    ]),
  );
  const stale = staleIn(graph, content, within);
  const { added, freed } = changeOf(graph, content, stale);
  const { limit, used } = bounds.documents;
  if (used + added - freed > limit) throw noRoom({ added, planName, limit, left: limit - used + freed });
  const removesFirst = used + added > limit;
  if (removesFirst) await removeStale(context, stale);
  const { document, lines = [] } = await send(context, content);
  if (!removesFirst) await removeStale(context, stale);
  const removed = { entities: stale.entities.length, relationships: stale.relationships.length };
  const isAny = removed.entities + removed.relationships > 0;
  const gone = `${number(removed.entities)} entities and ${count(removed.relationships, "relationship")} of it removed`;
  return {
    document: { ...(document as object), removed },
    lines: [...lines, ...(isAny ? [`${io.out.marks.done} ${gone}`] : [])],
  };
}

/** Returns how many documents a scan adds to a graph, and how many it frees. */
function changeOf(
  graph: Pick<WholeGraph, "entities" | "relationships">,
  content: GraphContent,
  stale: Stale,
): { added: number; freed: number } {
  const known = new Set([...graph.entities.map(({ id }) => id), ...graph.relationships.map(keyOf)]);
  const items = [...content.entities.map(({ id = "" }) => id), ...content.relationships.map(keyOf)];
  const gone = new Set(stale.entities);
  const taken = graph.relationships.filter(({ from, to }) => gone.has(from) || gone.has(to));
  return {
    added: new Set(items.filter((item) => !known.has(item))).size,
    freed: gone.size + taken.length + stale.relationships.length,
  };
}

function noRoom(room: { added: number; planName: string; limit: number; left: number }): Reported {
  const { added, planName, limit, left } = room;
  return new Reported({
    exitCode: EXIT.failed,
    error: "quota_exceeded",
    message:
      `The scan would add ${number(added)} entities and relationships, and this account (plan ${planName}) has room for ` +
      `${number(Math.max(0, left))} of ${number(limit)} documents. Nothing was sent.`,
    next: "Scan a part, such as `tool graph scan src`, or leave it on this machine with --no-record: impact, path and show need no server.",
  });
}

async function removeStale({ client, io, progress }: Context, stale: Stale): Promise<void> {
  const all = stale.relationships.length + stale.entities.length;
  let removed = 0;
  for (const call of callsFor(stale)) {
    io.interrupted.throwIfAborted();
    const label = `Removing what is gone, ${number(removed)} of ${number(all)}`;
    await progress.during(label, client.call("POST /api/v1/tools/knowledge-graph/delete", call));
    removed += (call.relationships ?? call.entities ?? []).length;
  }
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

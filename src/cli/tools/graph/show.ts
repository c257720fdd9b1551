import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import { count, number, relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { jsonText } from "../../ui/terminal-text.ts";
import { arrows, entityCount } from "./arrows.ts";

type PathQuery = RouteInput<"GET /api/v1/tools/knowledge-graph/path">;
/** Commander's options hold the common ones as well, which are no part of a query. */
export type Ways = Pick<PathQuery, "direction" | "type">;
type WholeGraph = RouteOutput<"GET /api/v1/tools/knowledge-graph">;
export type Format = RouteInput<"GET /api/v1/tools/knowledge-graph">["format"];

export async function search(
  { client, io }: Context,
  words: string[],
  { type, limit }: { type?: string; limit: number },
): Promise<Outcome> {
  const q = words.join(" ");
  const found = await client.call("GET /api/v1/tools/knowledge-graph/search", { q, type, limit });
  const rows = found.items.map(({ entity, matched }) => [
    entity.id,
    entity.name,
    entity.type,
    matched.join(" "),
  ]);
  const columns = ["Id", "Name", "Type", "Matched"].map((title) => ({ title, shrink: true }));
  return {
    document: found,
    lines: rows.length > 0 ? table(columns, rows, io.out) : ["Nothing matches."],
    exitCode: rows.length > 0 ? EXIT.done : EXIT.negative,
  };
}

/** Everything within some hops of an entity in the project's graph. */
export async function impactOfRecorded(
  { client, io }: Context,
  entityId: string,
  { depth = 2, direction, type }: Ways & { depth?: number },
): Promise<Outcome> {
  const found = await client.call("GET /api/v1/tools/knowledge-graph/impact/{entityId}", {
    entityId,
    depth,
    direction,
    type,
  });
  const { entities } = found;
  const rows = entities.map(({ id, distance, path }) => [
    String(distance),
    id,
    arrows(entityId, path, io.out),
  ]);
  const columns = [
    { title: "Hops", align: "right" } as const,
    { title: "Entity", shrink: true },
    { title: "Reached by", shrink: true },
  ];
  return {
    document: found,
    lines: [
      `${entityCount(entities.length)} within ${count(depth, "hop")} of ${io.out.style.bold(entityId)}`,
      ...(rows.length > 0 ? ["", ...table(columns, rows, io.out)] : []),
    ],
  };
}

export async function pathInRecorded(
  { client, io }: Context,
  from: string,
  to: string,
  { direction, type }: Ways,
): Promise<Outcome> {
  const found = await client.call("GET /api/v1/tools/knowledge-graph/path", { from, to, direction, type });
  return {
    document: found,
    lines: [found.path ? arrows(from, found.path, io.out) : `No path leads from ${from} to ${to}.`],
    exitCode: found.path ? EXIT.done : EXIT.negative,
  };
}

/** All that the project's graph holds on the server. */
export async function showRecorded(context: Context, { format }: { format?: Format }): Promise<Outcome> {
  const { client } = context;
  if (format !== undefined && format !== "json") {
    const { body } = await client.request("GET", `/api/v1/tools/knowledge-graph?format=${format}`);
    return { document: { format, text: body }, raw: String(body) };
  }
  const graph = await client.call("GET /api/v1/tools/knowledge-graph", {});
  if (format === "json") return { document: graph, raw: `${jsonText(graph, 2)}\n` };
  return { document: graph, lines: summaryOf(graph, context) };
}

function summaryOf({ entities, relationships, counts, updatedAt }: WholeGraph, context: Context): string[] {
  const { clock, io } = context;
  if (updatedAt === null) return ["The graph is empty. Fill it with: tool graph scan"];
  const changed = relativeTime(Date.parse(updatedAt), clock.now());
  return [
    `${entityCount(counts.entities)}, ${count(counts.relationships, "relationship")}, changed ${changed}`,
    "",
    ...typeTable("Entities", entities, context),
    ...(relationships.length > 0 ? ["", ...typeTable("Relationships", relationships, context)] : []),
    "",
    io.out.style.dim("All of it: tool graph show --format json, mermaid, dot or graphml"),
  ];
}

function typeTable(title: string, items: readonly { type: string }[], { io }: Context): string[] {
  const counts = new Map<string, number>();
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1);
  const rows = [...counts]
    .sort(([, left], [, right]) => right - left)
    .map(([type, amount]) => [type, number(amount)]);
  return table(
    [
      { title, shrink: true },
      { title: "Number", align: "right" },
    ],
    rows,
    io.out,
  );
}

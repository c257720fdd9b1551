import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { count, number, relativeTime } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { jsonText } from "../../ui/terminal-text.ts";
import { entityCount } from "./arrows.ts";

type WholeGraph = RouteOutput<"GET /api/v1/tools/knowledge-graph">;
export type Format = RouteInput<"GET /api/v1/tools/knowledge-graph">["format"];

/** Shows the project's graph on the server. */
export async function showRecorded(context: Context, format: Format): Promise<Outcome> {
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
  const changed = relativeTime(updatedAt, clock.now());
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

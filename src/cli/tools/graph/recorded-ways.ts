import type { RouteInput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import { count } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { arrows, entityCount } from "./arrows.ts";

type PathQuery = RouteInput<"GET /api/v1/tools/knowledge-graph/path">;
/** The options that are part of a query. Commander's options contain the common ones as well. */
export type Ways = Pick<PathQuery, "direction" | "type">;

/** Shows everything within some hops of an entity in the project's graph. */
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

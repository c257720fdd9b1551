import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { arrows } from "./arrows.ts";

type Properties = Record<string, unknown>;

export async function add(
  { client, io }: Context,
  name: string,
  { type, id, property }: { type: string; id?: string; property?: Properties },
): Promise<Outcome> {
  const added = await client.call("POST /api/v1/tools/knowledge-graph/entity", {
    id,
    type,
    name,
    properties: property,
  });
  const { style, marks } = io.out;
  const { entity } = added;
  return {
    document: added,
    lines: [`${marks.done} ${entity.type} ${style.bold(entity.id)} ${added.created ? "added" : "replaced"}`],
  };
}

export async function link(
  { client, io }: Context,
  from: string,
  type: string,
  to: string,
  { property, weight }: { weight?: number; property?: Properties },
): Promise<Outcome> {
  const linked = await client.call("POST /api/v1/tools/knowledge-graph/relationship", {
    from,
    type,
    to,
    weight,
    properties: property,
  });
  const drawn = arrows(linked.relationship.from, [linked.relationship], io.out);
  return {
    document: linked,
    lines: [`${io.out.marks.done} ${drawn} ${linked.created ? "added" : "replaced"}`],
  };
}

import type { Format } from "../contract.ts";
import type { NewEntity, NewRelationship } from "../graph-contract.ts";
import { dot } from "./dot.ts";
import { graphml } from "./graphml.ts";
import { inLines, type LineFormat } from "./line-format.ts";
import { mermaid } from "./mermaid.ts";

export type DrawnFormat = Exclude<Format, "json">;
export const LINE_FORMATS: Record<DrawnFormat, LineFormat> = { mermaid, dot, graphml };

export interface DrawableGraph {
  entities: readonly (NewEntity & { id: string })[];
  /** Both ends are among the entities. */
  relationships: readonly NewRelationship[];
}

/** Draws a graph that was never recorded, in the form of a recorded one. */
export async function drawGraph(
  format: DrawnFormat,
  { entities, relationships }: DrawableGraph,
): Promise<string> {
  const times = { createdAt: "", updatedAt: "" };
  const drawn = inLines(LINE_FORMATS[format], {
    async *entities() {
      yield entities.map((entity) => ({ ...entity, properties: entity.properties ?? {}, ...times }));
    },
    async *relationships() {
      yield relationships.map((each) => ({ ...each, properties: each.properties ?? {}, ...times }));
    },
  });
  const parts: string[] = [];
  for await (const part of drawn) parts.push(part);
  return parts.join("");
}

import { Reply } from "../../../contract/endpoint.ts";
import { jsonText } from "../../../contract/json-text.ts";
import type { Format } from "../contract.ts";
import type { WholeGraph } from "../graph/whole-graph.ts";
import { LINE_FORMATS } from "./draw-graph.ts";
import { inLines } from "./line-format.ts";

/** Replies with a whole graph, sent as it is read. */
export function graphIn(format: Format, graph: WholeGraph): Reply<never> {
  if (format === "json") {
    const { counts, updatedAt } = graph;
    const [entities, relationships] = [graph.entities(), graph.relationships()];
    return Reply.raw(jsonText({ entities, relationships, counts, updatedAt }));
  }
  const lineFormat = LINE_FORMATS[format];
  return Reply.raw(inLines(lineFormat, graph), { "Content-Type": lineFormat.contentType });
}

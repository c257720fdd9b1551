import { expect, it } from "vitest";
import * as z from "zod";
import { endpoints } from "../../src/api.ts";

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** What an input takes that is as large as a number can be, or negative, and why that does no harm. */
const BOUNDLESS: Record<string, string> = {
  "anomalies.analyze.metrics.*[]": "a rule bounds values",
  "anomalies.analyze.metrics.*[].value": "likewise",
  "anomalies.analyze.metrics.*[].at": "a rule refuses what is no date",
  "anomalies.changeSettings.low": "compared with values, and with high",
  "anomalies.changeSettings.high": "compared with values, and with low",
  "anomalies.changeSettings.maxGapMs": "compared with gaps",
  "context.optimize.budget.maxTokens": "compared with tokens",
  "knowledge-graph.addRelationship.weight": "kept and returned",
  "knowledge-graph.import.relationships[].weight": "kept and returned",
  "models.list.maxInputUsd": "compared with prices",
  "models.list.minContextTokens": "compared with sizes",
  "models.select.constraints.maxCostUsd": "compared with prices",
  "models.select.constraints.minContextTokens": "compared with sizes",
  "pair.change.baseRevision": "422 beyond the latest",
  "pair.change.edits[].from": "422 beyond the file",
  "pair.change.edits[].to": "422 beyond the file",
  "pair.events.since": "422 beyond the latest",
  "pair.show.since": "422 beyond the latest",
  "scheduler.plan.tasks[].priority": "divided by the greatest",
  "usage.batch.batch.index": "part of an id",
  "usage.batch.batch.total": "not used",
  "usage.batch.events[].count": "clamped to 1 to 100",
  "usage.batch.events[].timestamp": "refused outside of 90 days",
  "usage.track.count": "clamped to 1 to 100",
};

/** Returns the paths of the numbers in a schema that lack a bound, or have none but that of whole numbers. */
function boundless(schema: Schema, path: string, defs: Record<string, Schema>): string[] {
  if (schema.$ref) return boundless(defs[schema.$ref.split("/").at(-1) ?? ""] ?? {}, path, defs);
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const isBounded =
    (minimum ?? exclusiveMinimum) !== undefined &&
    (maximum ?? exclusiveMaximum ?? Number.POSITIVE_INFINITY) < Number.MAX_SAFE_INTEGER;
  const isNumber = [schema.type].flat().some((type) => type === "number" || type === "integer");
  const inner = (each: Schema, more = "") => boundless(each, path + more, defs);
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  return [
    ...(isNumber && !isBounded ? [path] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => inner(each)),
    ...Object.entries(properties).flatMap(([name, each]) => inner(each, `.${name}`)),
    ...(typeof additionalProperties === "object" ? inner(additionalProperties, ".*") : []),
    ...(items ? inner(items, "[]") : []),
  ];
}

it("every number that an endpoint takes has bounds, or a reason to have none", () => {
  const found = endpoints.flatMap(({ name, input }) => {
    const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;
    return boundless(schema, name, schema.$defs ?? {});
  });
  expect([...new Set(found)].sort()).toEqual(Object.keys(BOUNDLESS).sort());
});

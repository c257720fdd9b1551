import * as z from "zod";
import { refinementRules } from "../../contract/components.ts";
import { UserId } from "../../contract/endpoint.ts";
import { isObject } from "../../system/is-object.ts";

const MAX_METRICS = 1000;
const MAX_POINTS = 1_000_000;
/** Largest magnitude of a value. Sums and squares of larger ones could overflow. */
export const MAX_MAGNITUDE = 1e100;

const Point = z.union([
  z.number(),
  z.strictObject({
    at: z.union([z.iso.datetime({ offset: true, local: true }), z.number()]),
    value: z.number(),
  }),
]);

const { $schema: _, ...pointsSchema } = z.toJSONSchema(z.array(Point), { io: "input" });

export type Points = readonly unknown[];

/**
 * Checks everything but the points. There can be a million of these, so `readPoints` checks them as it reads
 * them; their schema here is only for the API's description.
 */
export const Metrics = z
  .custom<Record<string, Points>>(isObject, "must be an object of arrays")
  .superRefine((value, context) => {
    const entries = Object.entries(value);
    let points = 0;
    for (const [name, series] of entries) {
      const named = UserId.safeParse(name);
      if (!named.success) fault([name], named.error.issues[0]?.message ?? "is no name");
      else if (named.data !== name) fault([name], "must not begin or end with white space");
      if (Array.isArray(series)) points += series.length;
      else fault([name], "must be an array of numbers or of { at, value }");
    }
    if (entries.length === 0) fault([], "must hold a metric");
    if (entries.length > MAX_METRICS) fault([], `must hold at most ${MAX_METRICS} metrics`);
    if (points > MAX_POINTS) fault([], `must hold at most ${MAX_POINTS} points together`);

    function fault(path: string[], message: string): void {
      context.addIssue({ code: "custom", path, message });
    }
  })
  .meta({
    type: "object",
    additionalProperties: pointsSchema,
    description:
      "By name, its points in order: numbers, or with the time of each (ISO 8601, or milliseconds)",
  })
  .register(refinementRules, {
    rule: `1 to ${MAX_METRICS} metrics, of at most ${MAX_POINTS} points together. A name has 1 to 256 characters, no control characters, and no white space around it; a value is between -${MAX_MAGNITUDE} and ${MAX_MAGNITUDE}.`,
  });

import { z } from "zod";
import { inWords } from "../../contract/components.ts";
import { UserId } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";

const MAX_METRICS = 1000;
const MAX_POINTS = 1_000_000;
/** Sums and squares of larger ones would not be numbers. */
const MAX_MAGNITUDE = 1e100;
/** ECMAScript's last instant. */
const MAX_TIME = 8.64e15;
/** RFC 3339's days and hours, so that none rolls over into the next; seconds, zone and its colon may be missing. */
const DAY = z.regexes.date.source.slice(1, -1);
const TIME = new RegExp(
  `^${DAY}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?<zone>Z|[+-](?:[01]\\d|2[0-3]):?[0-5]\\d)?$`,
);

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
 * Checked but for the points themselves: there can be millions, and `readPoints` does that while it
 * reads them. Their schema is said for those who read the declaration.
 */
export const Metrics = z
  .custom<Record<string, Points>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be an object of arrays",
  )
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
  .register(inWords, {
    rule: `1 to ${MAX_METRICS} metrics, of at most ${MAX_POINTS} points together. A name has 1 to 256 characters, no control characters, and no white space around it; a value is between -${MAX_MAGNITUDE} and ${MAX_MAGNITUDE}.`,
  });

export interface Series {
  values: Float64Array;
  /** Milliseconds since the epoch; NaN where a point has none. */
  times: Float64Array;
}

/** Throws `Problem` `invalid_request` for the first point that is none, with its path. */
export function readPoints(name: string, points: Points): Series {
  const values = new Float64Array(points.length);
  const times = new Float64Array(points.length).fill(Number.NaN);
  for (let index = 0; index < points.length; index++) {
    const point = points[index];
    const fault = faultOf(point);
    if (fault) {
      const path = ["metrics", name, index, ...fault.path].join(".");
      throw invalidRequest([{ path, message: fault.message }]);
    }
    const { at, value } = typeof point === "number" ? { at: undefined, value: point } : (point as TimedPoint);
    values[index] = value;
    if (at !== undefined) times[index] = timeOf(at);
  }
  return { values, times };
}

interface TimedPoint {
  at: string | number;
  value: number;
}

function faultOf(point: unknown): { path: string[]; message: string } | undefined {
  if (typeof point === "number") return faultOfValue(point, []);
  if (typeof point !== "object" || point === null || Array.isArray(point)) {
    return { path: [], message: "must be a number or { at, value }" };
  }
  for (const member in point) {
    if (member !== "at" && member !== "value") return { path: [member], message: "is not a known member" };
  }
  const { at, value } = point as Partial<TimedPoint>;
  if (Number.isNaN(timeOf(at))) {
    return { path: ["at"], message: "must be an ISO 8601 date and time, or milliseconds since the epoch" };
  }
  return faultOfValue(value, ["value"]);
}

function faultOfValue(value: unknown, path: string[]): { path: string[]; message: string } | undefined {
  if (typeof value !== "number") return { path, message: "must be a number" };
  if (Math.abs(value) <= MAX_MAGNITUDE) return undefined;
  return { path, message: `must be between -${MAX_MAGNITUDE} and ${MAX_MAGNITUDE}` };
}

/** Without a zone it is UTC; NaN where it is no time. */
function timeOf(at: unknown): number {
  if (typeof at === "number") return Math.abs(at) <= MAX_TIME ? at : Number.NaN;
  if (typeof at !== "string") return Number.NaN;
  const match = TIME.exec(at);
  if (!match) return Number.NaN;
  return Date.parse((match.groups as { zone?: string }).zone === undefined ? `${at}Z` : at);
}

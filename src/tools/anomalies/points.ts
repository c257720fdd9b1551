import * as z from "zod";
import { invalidRequest } from "../../contract/faults.ts";
import { isObject } from "../../system/is-object.ts";
import { MAX_MAGNITUDE, type Points } from "./metrics.ts";

/** ECMAScript's last instant. */
const MAX_TIME = 8.64e15;
/**
 * RFC 3339's dates and hours, so that an invalid one does not roll over into the next. Seconds, the zone and
 * the zone's colon are optional.
 */
const DAY = z.regexes.date.source.slice(1, -1);
const TIME = new RegExp(
  `^${DAY}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?<zone>Z|[+-](?:[01]\\d|2[0-3]):?[0-5]\\d)?$`,
);

export interface Series {
  values: Float64Array;
  /** Milliseconds since the epoch; NaN for a point without a time. */
  times: Float64Array;
}

/** Checks and reads points. Throws `Problem` `invalid_request` with the path of the first invalid one. */
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
  if (!isObject(point)) {
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

/** Parses a time to milliseconds since the epoch, as UTC if it has no zone. Returns NaN if it is invalid. */
function timeOf(at: unknown): number {
  if (typeof at === "number") return Math.abs(at) <= MAX_TIME ? at : Number.NaN;
  if (typeof at !== "string") return Number.NaN;
  const match = TIME.exec(at);
  if (!match) return Number.NaN;
  return Date.parse((match.groups as { zone?: string }).zone === undefined ? `${at}Z` : at);
}

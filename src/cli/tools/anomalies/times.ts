import type { Metrics, Point } from "./metrics.ts";
import { TIME, timeOf } from "./time-text.ts";

/** The units since 1970 that numbers may have other than milliseconds, each with its count per millisecond. */
const UNITS = [
  ["seconds", 1e-3],
  ["microseconds", 1e3],
  ["nanoseconds", 1e6],
] as const;
type Unit = (typeof UNITS)[number];
const MILLISECONDS = ["milliseconds", 1] as const;
/** No number is a time between these in two units. */
const [EARLIEST, LATEST] = [Date.UTC(1980), Date.UTC(2100)];

const SORTED = "are not in the order of their times: they are sorted, and counted in that order.";

/**
 * Converts numbers to milliseconds and texts to ISO 8601, and sorts points that all have times, since the engine
 * compares each point with the previous ones. Invalid times are left for the engine to reject.
 */
export function timed(metrics: Metrics): { metrics: Metrics; notes: string[] } {
  const notes = new Map<string, string[]>();
  const say = (note: string, name: string) => notes.set(note, [...(notes.get(note) ?? []), name]);
  const read = Object.entries(metrics).map(([name, points]) => {
    if (!Array.isArray(points)) return [name, points];
    const parsed = points.map((point) =>
      at(point, (time) => (typeof time === "string" ? timeOf(time) : time)),
    );
    const [unit, perMillisecond = 1] = unitOf(parsed) ?? [];
    const inMilliseconds = unit === undefined ? parsed : parsed.map((point) => at(point, scaled));
    const sorted = sortedByTime(inMilliseconds);
    if (unit !== undefined) say(`Times% are read as ${unit} since 1970.`, name);
    if (sorted) say(`The points% ${SORTED}`, name);
    return [name, sorted ?? inMilliseconds];

    function scaled(time: number | string) {
      // To the microsecond: fractions of seconds would otherwise become the millisecond before.
      return typeof time === "number" ? Math.round((time / perMillisecond) * 1000) / 1000 : time;
    }
  });
  return {
    metrics: Object.fromEntries(read),
    notes: [...notes].map(([note, names]) => note.replace("%", () => ofSome(names, metrics))),
  };
}

/** Returns the points sorted by time; undefined if they are in order or one has no time. */
function sortedByTime(points: readonly Point[]): Point[] | undefined {
  const times = Float64Array.from(points, millisecondsOf);
  const isInOrder = times.every((time, index) => index === 0 || time >= (times[index - 1] as number));
  if (isInOrder || times.some(Number.isNaN)) return undefined;
  const order = Array.from(points.keys()).sort((a, b) => (times[a] as number) - (times[b] as number));
  return order.map((index) => points[index] as Point);
}

/** Returns the time of a point; NaN if it has none. A time without a zone is UTC, as for the engine. */
function millisecondsOf(point: Point): number {
  const text = typeof point === "object" && point !== null ? timeOf(String(point.at)) : undefined;
  if (typeof text !== "string") return text ?? Number.NaN;
  return Date.parse(TIME.exec(text)?.[3] === undefined ? `${text}Z` : text);
}

/** Returns a point with its time changed, or the same point if it has no time or no change. */
function at(point: Point, change: (time: number | string) => number | string | undefined): Point {
  if (typeof point !== "object" || point === null) return point;
  const time = typeof point.at === "number" || typeof point.at === "string" ? change(point.at) : undefined;
  return time === undefined || time === point.at ? point : { ...point, at: time };
}

/** Returns the unit of the numeric times; undefined for milliseconds, or if there are none. */
function unitOf(points: readonly Point[]): Unit | undefined {
  const [first, ...others] = points.flatMap((point) =>
    typeof point === "object" && typeof point?.at === "number" ? point.at : [],
  );
  if (first === undefined) return undefined;
  return UNITS.find((unit) => isPlausible(first, unit) && others.every((each) => isPlausible(each, unit)));
}

function isPlausible(time: number, [, perMillisecond]: Unit | typeof MILLISECONDS): boolean {
  const milliseconds = time / perMillisecond;
  return milliseconds >= EARLIEST && milliseconds < LATEST;
}

/** Whether a number is a time from 1980 to 2099 in any unit. */
export function isPlausibleTime(time: number): boolean {
  return isPlausible(time, MILLISECONDS) || UNITS.some((unit) => isPlausible(time, unit));
}

/** Returns a text that names the metrics; empty if they are all. */
function ofSome(names: readonly string[], metrics: Metrics): string {
  return names.length === Object.keys(metrics).length
    ? ""
    : ` of ${names.map((name) => `"${name}"`).join(", ")}`;
}

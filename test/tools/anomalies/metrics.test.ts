import { describe, expect, it } from "vitest";
import { Metrics, readPoints } from "../../../src/tools/anomalies/metrics.ts";

/** What is wrong with metrics, as `path: message`. */
function faultsOf(metrics: unknown): string[] {
  const { success, error } = Metrics.safeParse(metrics);
  return success ? [] : error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

/** What is wrong with a point. */
function faultOf(point: unknown): unknown {
  try {
    readPoints("load", [1, point]);
  } catch (error) {
    return (error as { extras: { errors: unknown } }).extras.errors;
  }
  return undefined;
}

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, [1]]));
/** So many points, of which none is looked at here. */
const many = (count: number) => Array(count);

describe("metrics", () => {
  it.each<[string, unknown]>([
    ["one", { load: [1] }],
    ["one without points", { load: [] }],
    ["a thousand", named(1000)],
    ["a million points together", { one: many(400_000), other: many(600_000) }],
    ["white space within a name", { "a b": [1] }],
  ])("may be %s", (_, metrics) => expect(faultsOf(metrics)).toEqual([]));

  it.each<[string, unknown, string[]]>([
    ["none", {}, [": must hold a metric"]],
    ["null", null, [": must be an object of arrays"]],
    ["an array", [[1]], [": must be an object of arrays"]],
    ["a text", "load", [": must be an object of arrays"]],
    ["a thousand and one", named(1001), [": must hold at most 1000 metrics"]],
    [
      "more points than a million together",
      { one: many(400_000), other: many(600_001) },
      [": must hold at most 1000000 points together"],
    ],
    ["white space before a name", { " a": [1] }, [" a: must not begin or end with white space"]],
    ["white space behind it", { "a ": [1] }, ["a : must not begin or end with white space"]],
    ["what is no array", { a: 1, b: [2] }, ["a: must be an array of numbers or of { at, value }"]],
  ])("are not %s", (_, metrics, faults) => expect(faultsOf(metrics)).toEqual(faults));

  it("have names that say why they are none", () => {
    expect(faultsOf({ "": [1] })).toHaveLength(1);
    expect(faultsOf({ ["x".repeat(257)]: [1] })).toHaveLength(1);
    expect(faultsOf({ ["x".repeat(256)]: [1] })).toEqual([]);
  });
});

describe("a point", () => {
  it.each<[unknown, number, number]>([
    [5, 5, Number.NaN],
    [1e100, 1e100, Number.NaN],
    [-1e100, -1e100, Number.NaN],
    [{ at: 0, value: -1 }, -1, 0],
    [{ at: 8.64e15, value: 1 }, 1, 8.64e15],
    [{ at: -8.64e15, value: 1 }, 1, -8.64e15],
    [{ at: "1970-01-01T00:00", value: 1 }, 1, 0],
    [{ at: "1970-01-01T00:00:01", value: 1 }, 1, 1000],
    [{ at: "1970-01-01T00:00:59Z", value: 1 }, 1, 59_000],
    [{ at: "1970-01-01T00:00:00.25Z", value: 1 }, 1, 250],
    [{ at: "1970-01-01T00:59Z", value: 1 }, 1, 59 * 60_000],
    [{ at: "1970-01-01T19:30Z", value: 1 }, 1, 19.5 * 3_600_000],
    [{ at: "1970-01-01T23:45+23:45", value: 1 }, 1, 0],
    [{ at: "1970-01-01T10:00+1000", value: 1 }, 1, 0],
    [{ at: "1969-12-31T19:30-0430", value: 1 }, 1, 0],
    [{ at: "2024-02-29T00:00:00Z", value: 1 }, 1, Date.UTC(2024, 1, 29)],
  ])("may be %j", (point, value, time) => {
    const { values, times } = readPoints("load", [point]);
    expect([...values, ...times]).toEqual([value, time]);
  });

  it.each<[unknown, string, string]>([
    ["5", "", "must be a number or { at, value }"],
    [null, "", "must be a number or { at, value }"],
    [[0, 1], "", "must be a number or { at, value }"],
    [Number.NaN, "", "must be between -1e+100 and 1e+100"],
    [Number.POSITIVE_INFINITY, "", "must be between -1e+100 and 1e+100"],
    [-1.1e100, "", "must be between -1e+100 and 1e+100"],
    [{ at: 1, value: 1.1e100 }, ".value", "must be between -1e+100 and 1e+100"],
    [{ at: 1 }, ".value", "must be a number"],
    [{ at: 1, value: null }, ".value", "must be a number"],
    [{ at: 1, value: 1, unit: "s" }, ".unit", "is not a known member"],
  ])("is not %j", (point, path, message) =>
    expect(faultOf(point)).toEqual([{ path: `metrics.load.1${path}`, message }]),
  );

  it.each([
    undefined,
    null,
    true,
    8.64e15 + 2,
    -8.64e15 - 2,
    "",
    "1970-01-01",
    "1970-01-01 00:00",
    "1970-01-01T24:00",
    "1970-01-01T30:00",
    "1970-01-01T00:60",
    "1970-01-01T00:00:60",
    "1970-01-01T00:00:00.",
    "1970-01-01T00:00:00.5x",
    "1970-01-01T0:00",
    "1970-01-01T00:00z",
    "1970-01-01T00:00+24:00",
    "1970-01-01T00:00+30:00",
    "1970-01-01T00:00+00:60",
    "1970-01-01T00:00+00",
    " 1970-01-01T00:00",
    "1970-01-01T00:00 ",
    "+001970-01-01T00:00",
    "1970-02-30T00:00",
    "2023-02-29T00:00",
    "1970-13-01T00:00",
  ])("has no time that is %j", (at) =>
    expect(faultOf({ at, value: 1 })).toEqual([
      {
        path: "metrics.load.1.at",
        message: "must be an ISO 8601 date and time, or milliseconds since the epoch",
      },
    ]),
  );
});

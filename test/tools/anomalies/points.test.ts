import { describe, expect, it } from "vitest";
import { readPoints } from "../../../src/tools/anomalies/points.ts";

/** Returns the fault of a point. */
function faultOf(point: unknown): unknown {
  try {
    readPoints("load", [1, point]);
  } catch (error) {
    return (error as { extras: { errors: unknown } }).extras.errors;
  }
  return undefined;
}

describe("readPoints()", () => {
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
  ])("accepts %j", (point, value, time) => {
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
  ])("rejects %j", (point, path, message) =>
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
  ])("rejects a point with the time %j", (at) =>
    expect(faultOf({ at, value: 1 })).toEqual([
      {
        path: "metrics.load.1.at",
        message: "must be an ISO 8601 date and time, or milliseconds since the epoch",
      },
    ]),
  );
});

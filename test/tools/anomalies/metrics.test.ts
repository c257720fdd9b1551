import { describe, expect, it } from "vitest";
import { Metrics } from "../../../src/tools/anomalies/metrics.ts";

/** Returns the faults of metrics as `path: message`. */
function faultsOf(metrics: unknown): string[] {
  const { success, error } = Metrics.safeParse(metrics);
  return success ? [] : error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, [1]]));
/** Returns `count` points, which are not read. */
const many = (count: number) => Array(count);

describe("Metrics", () => {
  it.each<[string, unknown]>([
    ["one", { load: [1] }],
    ["one without points", { load: [] }],
    ["a thousand", named(1000)],
    ["a million points together", { one: many(400_000), other: many(600_000) }],
    ["white space within a name", { "a b": [1] }],
  ])("accepts %s", (_, metrics) => expect(faultsOf(metrics)).toEqual([]));

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
  ])("rejects %s", (_, metrics, faults) => expect(faultsOf(metrics)).toEqual(faults));

  it("rejects an empty name, and a name longer than 256 characters", () => {
    expect(faultsOf({ "": [1] })).toHaveLength(1);
    expect(faultsOf({ ["x".repeat(257)]: [1] })).toHaveLength(1);
    expect(faultsOf({ ["x".repeat(256)]: [1] })).toEqual([]);
  });
});

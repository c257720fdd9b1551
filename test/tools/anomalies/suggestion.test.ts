import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/tools/anomalies/detecting/detector.ts";
import { duration, figure, rounded } from "../../../src/tools/anomalies/figures.ts";
import { suggestionFor } from "../../../src/tools/anomalies/suggestion.ts";

const found = (more: Partial<Finding>): Finding => ({
  kind: "spike",
  strangeness: 2,
  expected: { low: 90, mid: 100, high: 110 } as Finding["expected"],
  before: 50,
  ...more,
});

describe("suggestionFor()", () => {
  it("suggests a longer allowed pause only for missing data", () => {
    const pause = { ms: 90_000.2 } as Finding["pause"] & object;
    expect(suggestionFor("requests", 1, found({ kind: "missing_data", pause }))).toEqual({
      action: "set_max_gap",
      parameters: { metric: "requests", maxGapMs: 90_001 },
      effect: 'Pauses of "requests" are reported only if they are longer than 1.5 min.',
    });
    // The finding after the pause is of another kind.
    expect(suggestionFor("requests", 200, found({ pause }))?.action).toBe("set_threshold");
    expect(suggestionFor("requests", 200, found({ kind: "missing_data" }))?.action).toBe("set_threshold");
  });

  it.each([
    [130, { high: 130 }, "above 130"],
    [70, { low: 70 }, "below 70"],
  ])("suggests moving a crossed threshold to %d", (value, bound, words) => {
    expect(suggestionFor("load", value, found({ threshold: 100 }))).toEqual({
      action: "set_threshold",
      parameters: { metric: "load", ...bound },
      effect: `Where "load" goes ${words}, that is always reported; up to there no longer.`,
    });
  });

  it.each([
    [200, { high: 155 }, "above 155"],
    [20, { low: 55 }, "below 55"],
    [111, { high: 110.5 }, "above 110.5"],
  ])("suggests a threshold halfway from the usual range to %d", (value, bound, words) => {
    const suggestion = suggestionFor("load", value, found({}));
    const [side, exact] = Object.entries(bound)[0] as [string, number];
    const given = suggestion?.parameters as Record<string, unknown>;
    expect(Object.keys(given).sort()).toEqual(["metric", side].sort());
    expect(Math.abs((given[side] as number) - exact)).toBeLessThanOrEqual(Math.abs(exact - value) / 2);
    expect(suggestion?.effect).toBe(
      `Where "load" goes ${words.split(" ")[0]} ${given[side]}, that is always reported.`,
    );
  });

  it("suggests nothing within the usual range, at its bounds, or for a variance", () => {
    for (const value of [105, 110, 100, 95, 90]) expect(suggestionFor("load", value, found({}))).toBeNull();
    expect(suggestionFor("load", 200, found({ kind: "variance" }))).toBeNull();
    expect(suggestionFor("load", 200, found({ kind: "variance", threshold: 100 }))).toBeNull();
  });
});

describe("figures", () => {
  it("are as round as the tolerance allows", () => {
    expect([rounded(155, 45), rounded(155, 5), rounded(155, 1), rounded(0, 1)]).toEqual([200, 160, 155, 0]);
    expect([figure(123.456, 1000), figure(123.456, 1), figure(123.456, 0.01)]).toEqual([
      "123.5",
      "123.5",
      "123.456",
    ]);
    expect(rounded(Math.PI, 0)).toBe(Math.PI);
  });

  it("write durations in the largest unit that they fill", () => {
    expect([0, 0.5, 1, 999, 1000, 59_999, 60_000, 5_400_000, 86_400_000, 216_000_000].map(duration)).toEqual([
      "0 ms",
      "0.5 ms",
      "1 ms",
      "999 ms",
      "1 s",
      "60 s",
      "1 min",
      "1.5 h",
      "1 d",
      "2.5 d",
    ]);
  });
});

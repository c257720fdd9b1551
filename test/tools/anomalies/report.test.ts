import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/tools/anomalies/detecting/detector.ts";
import { lengthOf, memoryOver } from "../../../src/tools/anomalies/detecting/memory.ts";
import { createPauses } from "../../../src/tools/anomalies/detecting/pauses.ts";
import { duration, figure, rounded } from "../../../src/tools/anomalies/figures.ts";
import { reportOf } from "../../../src/tools/anomalies/report.ts";

const HOUR = 3_600_000;
const finding = (more: Partial<Finding> = {}): Finding => ({
  kind: "spike",
  strangeness: 1,
  expected: { low: 90, mid: 100, high: 110 },
  before: 50,
  ...more,
});

describe("figures", () => {
  it.each([
    [2.5 * 24 * HOUR, "2.5 d"],
    [24 * HOUR, "1 d"],
    [24 * HOUR - 60_000, "24 h"],
    [90 * 60_000, "1.5 h"],
    [60_000, "1 min"],
    [1000, "1 s"],
    [999, "999 ms"],
    [0.5, "0.5 ms"],
  ])("write %i ms as %s", (ms, text) => expect(duration(ms)).toBe(text));

  it("have four significant digits, and more if needed to tell two values apart", () => {
    expect(figure(123.456789, 100)).toBe("123.5");
    expect(figure(123.456789, 0.01)).toBe("123.457");
    expect(figure(1000.001, 0.001)).toBe("1000.001");
  });

  it("are as round as the tolerance allows", () => {
    expect(rounded(1234, 40)).toBe(1200);
    expect(rounded(1234, 300)).toBe(1000);
    expect(rounded(1234, 0)).toBe(1234);
    expect(rounded(1 / 3, 0)).toBe(1 / 3);
  });
});

describe("a report", () => {
  it.each([
    [0.6, "low"],
    [1, "medium"],
    [2, "high"],
    [4, "critical"],
  ])("for strangeness %d has severity %s", (strangeness, severity) => {
    const report = reportOf("m", 200, finding({ strangeness }));
    expect(report).toMatchObject({ severity, score: strangeness / (1 + strangeness) });
  });

  it("suggests a threshold halfway between the usual range and the value", () => {
    const above = reportOf("m", 210, finding()).suggestion;
    expect(above).toMatchObject({ action: "set_threshold", parameters: { metric: "m", high: 160 } });
    const below = reportOf("m", 10, finding({ kind: "drop" })).suggestion;
    expect(below).toMatchObject({ action: "set_threshold", parameters: { metric: "m", low: 50 } });
  });

  it("suggests nothing for a value within the usual range, nor for a variance", () => {
    expect(reportOf("m", 105, finding()).suggestion).toBeNull();
    expect(reportOf("m", 110, finding()).suggestion).toBeNull();
    expect(reportOf("m", 90, finding({ kind: "drop" })).suggestion).toBeNull();
    expect(reportOf("m", 200, finding({ kind: "variance" })).suggestion).toBeNull();
  });

  it("suggests moving a crossed threshold to the value that crossed it", () => {
    const high = reportOf("m", 140, finding({ threshold: 130 }));
    expect(high.suggestion).toMatchObject({ parameters: { metric: "m", high: 140 } });
    expect(high.explanation).toContain("above the threshold of 130");
    const low = reportOf("m", 60, finding({ kind: "drop", threshold: 70 }));
    expect(low.suggestion).toMatchObject({ parameters: { metric: "m", low: 60 } });
    expect(low.explanation).toContain("below the threshold of 70");
  });

  it("names the length of a pause and the usual interval, and suggests allowing the pause", () => {
    const pause = { ms: 2 * HOUR + 0.5, usualMs: 60_000, strangeness: 12 };
    const report = reportOf("m", 0, finding({ kind: "missing_data", pause }));
    expect(report.explanation).toContain("2 h; usually one comes every 1 min");
    expect(report.suggestion).toMatchObject({
      action: "set_max_gap",
      parameters: { metric: "m", maxGapMs: 2 * HOUR + 1 },
    });
    const allowed = reportOf("m", 0, finding({ kind: "missing_data", pause: { ...pause, allowedMs: HOUR } }));
    expect(allowed.explanation).toContain("the longest pause that was set is 1 h");
  });

  it("says if a usual value is at an unusual place, or if all values before were equal", () => {
    expect(reportOf("m", 100, finding()).explanation).toContain("but not here");
    for (const within of [90, 110]) {
      expect(reportOf("m", within, finding()).explanation).toContain("but not here");
      expect(reportOf("m", within, finding({ kind: "drop" })).explanation).toContain("but not here");
    }
    for (const beyond of [89.5, 110.5]) {
      expect(reportOf("m", beyond, finding()).explanation).not.toContain("but not here");
      expect(reportOf("m", beyond, finding({ kind: "drop" })).explanation).not.toContain("but not here");
    }
    expect(reportOf("m", 100, finding({ kind: "trend" })).explanation).not.toContain("but not here");
    const flat = finding({ expected: { low: 5, mid: 5, high: 5 } });
    expect(reportOf("m", 9, flat).explanation).toContain("the 50 points before were nearly all 5");
  });

  it("explains recurrences, departures from earlier weeks and unchanged values", () => {
    const said = (more: Partial<Finding>) => reportOf("load", 171, finding(more)).explanation;
    expect(said({ again: true })).toContain("reported before and went away; it is back");
    const departure = { mean: 98, usual: 20, strangeness: 2 };
    expect(said({ departure })).toMatch(/was 98 on average .* about 20 is usual/);
    const stillness = { points: 20, longest: 2 };
    expect(said({ kind: "variance", stillness })).toMatch(/has been 171 for 20 points .* more than 2\.$/);
  });
});

describe("a pause", () => {
  const MINUTE = 60_000;
  /** Returns the report of a pause after `points` points a minute apart. */
  function pauseAfter(points: number, ms: number, allowedMs?: number) {
    const pauses = createPauses(memoryOver(new Float64Array(lengthOf(createPauses))));
    for (let point = 0; point < points; point++) pauses.before(point * MINUTE, undefined);
    return pauses.before((points - 1) * MINUTE + ms, allowedMs);
  }

  it("is strange if more than ten times as long as usual, in proportion to its length", () => {
    expect(pauseAfter(20, 10 * MINUTE)).toBeUndefined();
    expect(pauseAfter(20, 20 * MINUTE)).toEqual({ ms: 20 * MINUTE, usualMs: MINUTE, strangeness: 2 });
    expect(pauseAfter(20, 35 * MINUTE)?.strangeness).toBe(3.5);
  });

  it("is not strange while fewer than ten intervals are known", () => {
    expect(pauseAfter(10, HOUR)).toBeUndefined();
    expect(pauseAfter(11, HOUR)).toBeDefined();
  });

  it("is judged by the allowed pause if one is set, with a strangeness of at least 1", () => {
    expect(pauseAfter(20, 2 * MINUTE, 2 * MINUTE)).toBeUndefined();
    expect(pauseAfter(20, 3 * MINUTE, 2 * MINUTE)).toMatchObject({ allowedMs: 2 * MINUTE, strangeness: 1 });
    expect(pauseAfter(20, HOUR, 2 * HOUR)).toBeUndefined();
    expect(pauseAfter(1, HOUR, MINUTE)).toMatchObject({ usualMs: HOUR, strangeness: 1 });
  });

  it("is not reported before a session's first point, nor for an unknown or earlier time", () => {
    const pauses = createPauses(memoryOver(new Float64Array(lengthOf(createPauses))));
    for (let point = 0; point < 20; point++) pauses.before(point * MINUTE, undefined);
    pauses.begin();
    expect(pauses.before(1000 * MINUTE, MINUTE)).toBeUndefined();
    expect(pauses.before(Number.NaN, MINUTE)).toBeUndefined();
    expect(pauses.before(999 * MINUTE, MINUTE)).toBeUndefined();
    expect(pauses.before(1001 * MINUTE, MINUTE)).toMatchObject({ ms: 2 * MINUTE });
  });
});

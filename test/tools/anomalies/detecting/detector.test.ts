import { inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packed } from "../../../../src/tools/anomalies/packed.ts";
import { runs } from "../../../support/runs.ts";
import { builds, found, judge } from "../series.ts";

const RUNS = { numRuns: runs(20) };
const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, min: -1e100, max: 1e100 }),
  fc.constantFrom(0, -0, 1e100, -1e100, Number.MIN_VALUE),
);
/** Times that may be repeated, missing or running backwards. */
const time = fc.oneof(fc.integer({ min: 0, max: 1e7 }), fc.constantFrom(Number.NaN, 0, 8.64e15, -8.64e15));
const points = fc.array(fc.tuple(value, time), { maxLength: 400 });
const split = (pairs: readonly [number, number][]) =>
  [pairs.map(([value]) => value), pairs.map(([, time]) => time)] as const;

describe("the detector", () => {
  it("judges each point only by the points before it", () => {
    fc.assert(
      fc.property(points, fc.nat(400), (pairs, length) => {
        const [values, times] = split(pairs);
        const whole = judge(values, { times, sensitivity: "high" });
        const part = judge(values.slice(0, length), { times: times.slice(0, length), sensitivity: "high" });
        expect(whole.findings.filter(({ index }) => index < length)).toEqual(part.findings);
      }),
      RUNS,
    );
  });

  it("finds the same in two sessions as in one session with all points", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 700 }), fc.nat(700), (values, length) => {
        const whole = judge(values, { sensitivity: "high" });
        const first = judge(values.slice(0, length), { sensitivity: "high" });
        const second = judge(values.slice(length), { sensitivity: "high", memory: first.memory });
        const shifted = second.findings.map((each) => ({
          ...each,
          index: each.index + Math.min(length, values.length),
        }));
        expect([...first.findings, ...shifted]).toEqual(whole.findings);
        expect([second.memory, second.baseline]).toEqual([whole.memory, whole.baseline]);
      }),
      RUNS,
    );
  });

  it("reports nothing among the first ten points, even beyond thresholds", () => {
    const settings = { low: -1, high: 1, maxGapMs: 1 };
    fc.assert(
      fc.property(points, (pairs) => {
        const [values, times] = split(pairs);
        const { findings, verdict, baseline } = judge(values, { times, settings, sensitivity: "high" });
        expect(findings.filter(({ index }) => index < 10)).toEqual([]);
        if (values.length < 10)
          expect([verdict, baseline, findings]).toEqual(["insufficient_data", null, []]);
        else expect(verdict).toBe(findings.length > 0 ? "anomalous" : "ok");
      }),
      RUNS,
    );
  });

  it("reports finite strangeness and finite, ordered bounds for any values", () => {
    fc.assert(
      fc.property(points, (pairs) => {
        const [values, times] = split(pairs);
        for (const { expected, strangeness } of judge(values, { times, sensitivity: "high" }).findings) {
          expect(expected.low).toBeLessThanOrEqual(expected.mid);
          expect(expected.mid).toBeLessThanOrEqual(expected.high);
          expect(strangeness).toBeGreaterThan(0);
          expect(Number.isFinite(strangeness + expected.low + expected.high)).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it("finds the same if all values are scaled and shifted", () => {
    const values = builds(400, { from: 300, add: () => 40 }).map((each) => Math.round(each * 1024));
    const other = values.map((each) => each / 1024 - 512);
    expect(found(judge(other))).toEqual(found(judge(values)));
    expect(found(judge(values))).toContain("300 spike");
  });

  it("remembers as many numbers after many points as after one, and packs them small", () => {
    const memories = [1, 5000, 50_000].map((length) => judge(builds(length)).memory);
    const bytes = memories.map((memory) => inflateRawSync(Buffer.from(memory, "base64")).length);
    expect(new Set(bytes).size).toBe(1);
    const [, some = "", many = ""] = memories;
    expect(many.length).toBeLessThan(1.25 * some.length);
    for (const memory of memories) expect(memory.length).toBeLessThan(40_000);
  });

  it("starts over if the memory was written by another version", () => {
    const memory = packed(new Float64Array(100).fill(7));
    expect(judge(builds(20), { memory })).toEqual(judge(builds(20)));
  });

  it("reports more at higher sensitivity, and less of a dismissed kind", () => {
    const values = builds(3000).map((each, index) => each + (index % 290 === 289 ? 4 + index / 150 : 0));
    const [low, medium, high] = (["low", "medium", "high"] as const).map((sensitivity) =>
      found(judge(values, { sensitivity })),
    ) as [string[], string[], string[]];
    expect(low.length).toBeLessThan(medium.length);
    expect(medium.length).toBeLessThan(high.length);
    expect(high).toEqual(expect.arrayContaining(medium));
    const weighed = judge(values, { weights: { spike: 0.5 } }).findings;
    const spikes = judge(values).findings.filter(({ kind }) => kind === "spike");
    for (const { index, strangeness } of weighed.filter(({ kind }) => kind === "spike")) {
      expect(strangeness).toBe(0.5 * (spikes.find((each) => each.index === index)?.strangeness ?? 0));
    }
    expect(weighed.length).toBeLessThan(judge(values).findings.length);
  });
});

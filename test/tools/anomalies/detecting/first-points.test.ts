import { describe, expect, it } from "vitest";
import { judge, noise } from "../series.ts";

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);

const buildTime = (deviations: number) => 60 + 3 * deviations;
/** The 95th percentile of such latencies is 2.3 times their median. */
const latency = (deviations: number) => 100 * Math.exp(deviations / 2);

/** Counts the seeds for which a series without times, made of normal noise, has such a finding. */
function reported(
  length: number,
  isMeant: (finding: { index: number; kind: string }) => boolean,
  { add = (_: number): number => 0, value = buildTime } = {},
): number {
  return SEEDS.filter((seed) => {
    const values = noise(length, seed).map((each, index) => value(each + add(index)));
    return judge(values).findings.some(isMeant);
  }).length;
}

describe("a metric with few points", () => {
  it.each([20, 30, 60])("is seldom reported for %i points of normal noise", (length) => {
    expect(reported(length, () => true)).toBeLessThanOrEqual(0.04 * SEEDS.length);
  });

  it.each([
    [15, 10],
    [25, 8],
    [45, 7],
  ])("is nearly always reported at point %i, %i standard deviations off", (at, deviations) => {
    const add = (index: number) => (index === at ? deviations : 0);
    const found = reported(at + 1, ({ index }) => index === at, { add });
    expect(found).toBeGreaterThanOrEqual(0.9 * SEEDS.length);
  });

  it("is reported for latencies by how far their own outer values lie apart", () => {
    expect(reported(60, () => true, { value: latency })).toBeLessThanOrEqual(0.2 * SEEDS.length);
    const tenTimes = { value: latency, add: (index: number) => (index === 50 ? 2 * Math.log(10) : 0) };
    const found = reported(51, ({ index }) => index === 50, tenTimes);
    expect(found).toBeGreaterThanOrEqual(0.5 * SEEDS.length);
  });

  it.each([12, 20, 40])("does not spread wider after a single outlier at point %i", (at) => {
    const add = (index: number) => (index === at ? 20 : 0);
    expect(reported(at + 70, ({ kind }) => kind === "variance", { add })).toBeLessThanOrEqual(2);
  });
});

import { describe, expect, it } from "vitest";
import { judge, noise } from "../series.ts";

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);

/** Counts the seeds for which a series of build times around a minute, without times, has such a finding. */
function reported(length: number, isMeant: (index: number) => boolean, add = (_: number) => 0): number {
  return SEEDS.filter((seed) => {
    const values = noise(length, seed).map((each, index) => 60 + 3 * (each + add(index)));
    return judge(values).findings.some(({ index }) => isMeant(index));
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
    const found = reported(at + 1, (index) => index === at, add);
    expect(found).toBeGreaterThanOrEqual(0.9 * SEEDS.length);
  });
});

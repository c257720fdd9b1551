import { describe, expect, it } from "vitest";
import { found, judge, noise } from "../series.ts";

const LENGTH = 4000;
const SEEDS = [1, 2, 3, 4];

/** Returns errors a minute: none in most, one in 100 of 1,000, two in 3 of 1,000. */
function errors(seed: number, bursts: Record<number, number> = {}): number[] {
  return noise(LENGTH, seed).map((each, at) => bursts[at] ?? (each > 2.75 ? 2 : each > 1.28 ? 1 : 0));
}

describe("a metric of small counts", () => {
  it("is not reported for one more than usual", () => {
    for (const seed of SEEDS) {
      const values = errors(seed);
      expect(values.filter((value) => value === 2).length).toBeGreaterThan(0);
      const later = judge(values).findings.filter(({ index }) => index >= 288);
      expect(later.map(({ index }) => values[index])).toEqual([]);
    }
  });

  it("is reported for each burst well above the usual counts", () => {
    const bursts = { 1500: 8, 2100: 8, 2800: 8, 3600: 8 };
    for (const seed of SEEDS) {
      const later = found(judge(errors(seed, bursts))).filter((each) => Number.parseInt(each, 10) >= 288);
      expect(later).toEqual(["1500 spike", "2100 spike", "2800 spike", "3600 spike"]);
    }
  });

  it("is reported for each outage of a check whose value is 1 or 0", () => {
    const outages = [900, 1700, 2500, 3300];
    const up = Array.from({ length: LENGTH }, (_, at) =>
      outages.some((from) => at >= from && at < from + 20) ? 0 : 1,
    );
    const drops = judge(up).findings.filter(({ kind }) => kind === "drop");
    expect(drops.map(({ index }) => index)).toEqual(outages);
  });

  it("is reported at the second of two equal steps like at the first", () => {
    const stairs = Array.from({ length: 1200 }, (_, at) => (at < 600 ? 100 : at < 700 ? 160 : 220));
    expect(found(judge(stairs)).filter((each) => !each.endsWith("level_shift"))).toEqual([
      "600 spike",
      "700 spike",
    ]);
  });
});

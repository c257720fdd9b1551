import { describe, expect, it } from "vitest";
import { judge, noise } from "../series.ts";

/** Returns success rates of about 98.5 %, with outages of about 60 % for `length` points from some indexes on. */
function successRate(outages: readonly number[], length: number, points = 5000): number[] {
  const isOut = (index: number) => outages.some((from) => index >= from && index < from + length);
  return noise(points, 3).map((each, index) =>
    isOut(index) ? 0.6 + 0.02 * each : Math.min(1, 0.985 + 0.006 * each),
  );
}

function reported(
  values: readonly number[],
  from: number,
  length: number,
  more?: Parameters<typeof judge>[1],
) {
  return judge(values, more).findings.filter(({ index }) => index >= from && index < from + length);
}

const TEN = Array.from({ length: 10 }, (_, outage) => 800 + 400 * outage);

describe("a reported anomaly", () => {
  it("is reported again each time that it comes back", () => {
    for (const length of [1, 5, 30, 100]) {
      const values = successRate(TEN, length);
      const { findings } = judge(values);
      for (const from of TEN) expect(findings.map(({ index }) => index)).toContain(from);
      expect(findings.find(({ index }) => index === TEN[9])).toMatchObject({ again: true, kind: "drop" });
    }
  });

  it("is reported again after other anomalies in between, and in a later session", () => {
    const values = successRate([1000, 3000], 30);
    const surges = values.map((each, index) => (index >= 2000 && index < 2020 ? each + 3 : each));
    for (const from of [1000, 2000, 3000]) expect(reported(surges, from, 30)).not.toEqual([]);
    const { memory } = judge(values.slice(0, 2500));
    const later = judge(values.slice(2500), { memory });
    expect(later.findings.map(({ index }) => index)).toContain(500);
  });

  it("is not reported again while it lasts", () => {
    const values = successRate([1000], 4000);
    expect(reported(values, 1100, 3900).filter(({ again }) => again)).toEqual([]);
  });

  it("is not reported as recurring if it occurs every 150 points", () => {
    const values = noise(5000).map((each, index) => 100 + 3 * each + (index % 150 === 7 ? 80 : 0));
    expect(judge(values).findings.filter(({ again }) => again)).toEqual([]);
  });

  it("is not reported again once its kind was dismissed", () => {
    const values = noise(3000).map(
      (each, index) => 100 + 3 * each + (index === 1000 || index === 2000 ? 90 : 0),
    );
    const told = (more = {}) =>
      judge(values, more).findings.some(({ index, kind }) => index === 2000 && kind === "spike");
    expect(told()).toBe(true);
    expect(told({ weights: { spike: 0.7 } })).toBe(false);
  });
});

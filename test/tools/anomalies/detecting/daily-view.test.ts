import { describe, expect, it } from "vitest";
import { builds, judge, noise } from "../series.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

describe("the time of day", () => {
  it("does not change the findings of a metric without a daily pattern", () => {
    for (const [from, extra] of [
      [1500, 40],
      [1500, 12],
      [2500, 8],
    ] as const) {
      const values = builds(3000, { from, add: (since) => (since < 5 ? extra : 0) });
      const times = values.map((_, index) => index * 15 * MINUTE);
      const without = judge(values).findings;
      expect(without.length).toBeGreaterThan(0);
      expect(judge(values, { times }).findings).toEqual(without);
    }
  });

  it("reveals a value at night that is usual at noon", () => {
    for (const minutes of [1, 5, 15]) {
      const perDay = 1440 / minutes;
      const values = noise(10 * perDay, 3).map(
        (each, index) => each + 100 * Math.sin((2 * Math.PI * index) / perDay),
      );
      const night = 8.75 * perDay;
      for (let since = 0; since < 6; since++) values[night + since] = 60;
      const times = values.map((_, index) => index * minutes * MINUTE);
      const reported = (more: object) =>
        judge(values, more).findings.filter(({ index }) => index >= night && index < night + 6).length;
      expect(reported({ times })).toBeGreaterThan(0);
    }
  });

  it("at least halves the reports on the first day of a daily pattern", () => {
    const perDay = 1440;
    for (const seed of [1, 2, 3, 4]) {
      const values = noise(3 * perDay, seed).map(
        (each, index) => 180 - 45 * Math.cos((2 * Math.PI * index) / perDay) + 8 * Math.abs(each),
      );
      const times = values.map((_, index) => 20_000 * DAY + index * MINUTE);
      const early = (more: object) => judge(values, more).findings.filter(({ index }) => index < perDay);
      expect(early({ times }).length).toBeLessThanOrEqual(early({}).length / 2);
    }
  });
});

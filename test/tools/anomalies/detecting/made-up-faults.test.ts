import { describe, expect, it } from "vitest";
import { judge, noise } from "../series.ts";

const HALF_HOUR_MS = 1_800_000;
/** Points of a metric, every half hour for three weeks. `FROM` is where its fault begins. */
const LENGTH = 1000;
const FROM = 800;
const SEEDS = [1, 2, 3, 4];

/** Metrics by name: the value at each point, given its noise, and the size of the noise. */
const METRICS = {
  "a constant": { sigma: 3, valueAt: (_: number, each: number) => 100 + 3 * each },
  "a daily wave": {
    sigma: 2,
    valueAt: (at: number, each: number) => 100 + 20 * Math.sin((2 * Math.PI * at) / 48) + 2 * each,
  },
  "a slow rise": { sigma: 3, valueAt: (at: number, each: number) => 100 + 0.02 * at + 3 * each },
  "a log-normal latency": { sigma: 12, valueAt: (_: number, each: number) => 100 * Math.exp(0.1 * each) },
};

const FAULTS = {
  spike: (value: number, sigma: number, since: number) => (since === 0 ? value + 14 * sigma : value),
  drop: (value: number, sigma: number, since: number) => (since === 0 ? value - 14 * sigma : value),
  level_shift: (value: number, sigma: number) => value + 8 * sigma,
  variance: (value: number, sigma: number, since: number) => value + (since % 2 ? 9 : -9) * sigma,
};

describe.each(Object.entries(METRICS))("%s", (name, { sigma, valueAt }) => {
  const times = Array.from({ length: LENGTH }, (_, at) => at * HALF_HOUR_MS);
  const judged = (change: (value: number, sigma: number, since: number) => number) =>
    SEEDS.map((seed) => {
      const values = noise(LENGTH, seed).map((each, at) => {
        const value = valueAt(at, each);
        return at < FROM ? value : change(value, sigma, at - FROM);
      });
      return judge(values, { times }).findings;
    });

  it.each(Object.entries(FAULTS))("is reported at the first point of a %s", (kind, change) => {
    for (const findings of judged(change)) {
      const kinds = findings.filter(({ index }) => index >= FROM && index < FROM + 30);
      expect(kinds[0]?.index).toBe(FROM);
      if (kind === "spike" || kind === "drop") expect(kinds.map((each) => each.kind)).toEqual([kind]);
      // Half of a wave that was shifted up looks like a slope.
      else
        expect(kinds.map((each) => each.kind)).toContain(
          name === "a daily wave" && kind === "level_shift" ? "trend" : kind,
        );
    }
  });

  it("is seldom reported without a fault", () => {
    const reported = judged((value) => value).flat();
    expect(reported.length).toBeLessThanOrEqual((3 * SEEDS.length * LENGTH) / 1000);
  });
});

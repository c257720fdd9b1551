import fc from "fast-check";
import { expect, it } from "vitest";
import { type Failing, failingOn, nextAttempt, pauseOf } from "../../src/alerts/retries.ts";

const HOUR = 60 * 60_000;
const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));

it("nextAttempt() retries for a day with bounded random pauses, then gives up", () => {
  fc.assert(
    fc.property(chances, fc.integer({ min: 0, max: 2 ** 42 }), (stream, firstAt) => {
      const times = [firstAt];
      let failing: Failing | undefined;
      for (const chance of stream) {
        failing = failingOn(failing, times.at(-1) as number, "ofDelivery");
        const next = nextAttempt({ attempts: times.length, failing }, chance);
        if (next === undefined) break;
        times.push(next);
      }
      const last = times.at(-1) as number;
      expect(last - firstAt).toBeGreaterThanOrEqual(24 * HOUR);
      expect(last - firstAt).toBeLessThanOrEqual(26 * HOUR);
      expect(times.length).toBeLessThan(60);
      const pauses = times.slice(1).map((at, index) => at - (times[index] as number));
      pauses.forEach((pause, index) => {
        const whole = Math.min(5_000 * 2 ** index, 2 * HOUR);
        expect(pause).toBeGreaterThanOrEqual(whole / 2);
        expect(pause).toBeLessThanOrEqual(whole);
      });
      // A receiver that is back after an hour gets the next attempt within 90 minutes.
      expect(times.some((at) => at - firstAt >= HOUR && at - firstAt <= 2.5 * HOUR)).toBe(true);
    }),
  );
});

it("pauseOf() pauses a failing webhook after the third failure, for five minutes at most", () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failures, chance) => {
        const pause = pauseOf(failures, chance);
        if (failures < 3) expect(pause).toBe(0);
        else expect(pause).toBeGreaterThanOrEqual(2_500);
        expect(pause).toBeLessThanOrEqual(5 * 60_000);
      },
    ),
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaInterval } from "../../../src/tools/self-healing/beta-interval.ts";
import { afterOutcome, successRate, type Tally, UNTRIED } from "../../../src/tools/self-healing/tally.ts";

const tallied = (outcomes: readonly boolean[]): Tally => outcomes.reduce(afterOutcome, UNTRIED);
const low = (...outcomes: boolean[]) => successRate(tallied(outcomes), UNTRIED).low;

describe("betaInterval()", () => {
  it.each([
    [1, 1, 0.05, 0.5, 0.95],
    [2, 1, 0.224, 0.667, 0.975],
    [1, 2, 0.025, 0.333, 0.776],
    [10, 2, 0.636, 0.833, 0.967],
    [0.5, 0.5, 0.006, 0.5, 0.994],
    [90, 10, 0.847, 0.9, 0.944],
  ])("returns for Beta(%d, %d) low, mid and high of %d, %d, %d", (alpha, beta, lowest, mid, high) => {
    expect(betaInterval(alpha, beta)).toEqual({ low: lowest, mid, high });
  });

  it("is ordered, symmetric and rises with each success", () => {
    const count = fc.double({ min: 0.5, max: 200, noNaN: true });
    fc.assert(
      fc.property(count, count, (alpha, beta) => {
        const { low, mid, high } = betaInterval(alpha, beta);
        expect(low).toBeLessThanOrEqual(high);
        expect(betaInterval(alpha + 1, beta).low).toBeGreaterThanOrEqual(low);
        expect(betaInterval(beta, alpha).mid).toBeCloseTo(1 - mid, 2);
        expect(betaInterval(beta, alpha).low).toBeCloseTo(1 - high, 2);
      }),
    );
  });
});

describe("successRate()", () => {
  it("ranks a success above no attempt, and no attempt above a failure", () => {
    expect(low(true)).toBeGreaterThan(low());
    expect(low()).toBeGreaterThan(low(false));
    expect(low(true, true, true)).toBeGreaterThan(low(true));
    expect(low(true, false)).toBeGreaterThan(low());
  });

  it("falls when a fix that worked for long stops working", () => {
    const worked = Array.from({ length: 30 }, () => true);
    const stopped = Array.from({ length: 6 }, () => false);
    expect(low(...worked)).toBeGreaterThan(0.65);
    expect(low(...worked, ...stopped)).toBeLessThan(0.3);
    expect(low(...worked, ...stopped)).toBeLessThan(low(true, true));
    expect(tallied([...worked, ...stopped]).attempts).toBe(36);
  });

  it("starts from the rate of the category, which a few attempts outweigh", () => {
    const good = tallied(Array.from({ length: 50 }, () => true));
    expect(successRate(UNTRIED, good).low).toBeGreaterThan(low());
    expect(successRate(tallied([false, false, false]), good).low).toBeLessThan(low(true));
    expect(successRate(UNTRIED, good).low).toBeLessThan(low(true, true, true));
  });
});

import { describe, expect, it } from "vitest";
import { deviation, expectationOf } from "../../../src/tools/anomalies/detecting/expectation.ts";
import { directionOf } from "../../../src/tools/anomalies/detecting/slope.ts";
import { kindOf } from "../../../src/tools/anomalies/kind.ts";
import { noise } from "./series.ts";

const series = (length: number, at: (index: number) => number) =>
  Float64Array.from({ length }, (_, i) => at(i));
const rising = series(40, (index) => 3 * index);

describe("kindOf()", () => {
  it("returns trend if the four quarters before move that way by more than they spread", () => {
    expect(kindOf(200, rising)).toBe("trend");
    expect(
      kindOf(
        -200,
        rising.map((value) => -value),
      ),
    ).toBe("trend");
  });

  it("returns spike or drop after an opposite trend, few points, a step or wide spread", () => {
    expect(kindOf(-200, rising)).toBe("drop");
    expect(kindOf(200, rising.subarray(0, 23))).toBe("spike");
    expect(kindOf(200, rising.subarray(0, 24))).toBe("trend");
    expect(
      kindOf(
        200,
        series(40, (index) => (index < 20 ? 0 : 100)),
      ),
    ).toBe("spike");
    expect(
      kindOf(
        200,
        series(40, (index) => (index % 2 === 0 ? 50 : -50) + index),
      ),
    ).toBe("spike");
  });

  it("compares a value within the usual range with the twelve points before it", () => {
    const stepped = series(100, (index) => (index < 80 ? (index % 2) * 100 : 90));
    expect(kindOf(95, stepped)).toBe("spike");
    expect(kindOf(20, stepped)).toBe("drop");
    const low = series(100, (index) => (index < 88 ? 90 + (index % 2) : 10));
    expect(kindOf(50, low)).toBe("spike");
  });
});

describe("expectationOf() and deviation()", () => {
  it("expect the median and the middle 98 %, without a single outlier", () => {
    expect(expectationOf(series(101, (index) => 100 - index))).toEqual({ low: 1, mid: 50, high: 99 });
    for (const length of [3, 10, 60, 101, 102, 300]) {
      const [usual, outlier] = [series(length - 1, (index) => 100 + (index % 2)), length % 2 ? 1e6 : -1e6];
      expect(expectationOf(Float64Array.of(...usual, outlier))).toMatchObject({
        low: expect.toSatisfy((low: number) => low >= 100),
        high: expect.toSatisfy((high: number) => high <= 101),
      });
    }
    expect(expectationOf(Float64Array.of(10, 20))).toEqual({ low: 10, mid: 15, high: 20 });
    expect(expectationOf(Float64Array.of(7))).toEqual({ low: 7, mid: 7, high: 7 });
  });

  it("measure distance in standard deviations for normally distributed values", () => {
    const normal = Float64Array.from(noise(5000));
    for (const off of [-4, 1, 3]) expect(deviation(off, normal)).toBeCloseTo(Math.abs(off), 0);
    expect(deviation(expectationOf(normal).mid, normal)).toBe(0);
  });

  it("use the mean deviation if over half of the values are equal, infinity if all are", () => {
    const mostly = Float64Array.of(5, 5, 5, 5, 5, 5, 5, 15);
    expect(deviation(17.533, mostly)).toBeCloseTo(12.533 / (1.2533 * (10 / 8)));
    expect(deviation(6, Float64Array.of(5, 5, 5))).toBe(Number.POSITIVE_INFINITY);
    expect(deviation(5, Float64Array.of(5, 5, 5))).toBe(0);
  });
});

describe("directionOf()", () => {
  it("returns the sign of the slope of a fitted line, with or without noise", () => {
    expect(directionOf(rising)).toBe(1);
    expect(directionOf(rising.toReversed())).toBe(-1);
    const noisy = Float64Array.from(noise(40), (each, index) => 5 * each + index);
    expect(directionOf(noisy)).toBe(1);
  });

  it("returns 0 for no significant slope, or if a step fits better than a line", () => {
    expect(directionOf(Float64Array.from(noise(40)))).toBe(0);
    expect(directionOf(series(40, () => 5))).toBe(0);
    expect(directionOf(series(40, (index) => (index < 10 ? 0 : 100)))).toBe(0);
    expect(directionOf(series(40, (index) => (index < 30 ? 100 : 0) + (index % 3)))).toBe(0);
  });
});

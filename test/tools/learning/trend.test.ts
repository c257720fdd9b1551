import { describe, expect, it } from "vitest";
import { trendOf } from "../../../src/tools/learning/trend.ts";

describe("a trend", () => {
  it("requires five measurements", () => {
    expect(trendOf([4, 3, 2, 1], "lower")).toEqual({ direction: "insufficient_data", slope: null });
    expect(trendOf([5, 4, 3, 2, 1], "lower")).toEqual({ direction: "improving", slope: -1 });
  });

  it("is improving or worsening depending on which direction is better", () => {
    expect(trendOf([1, 2, 3, 4, 5, 6], "higher")).toEqual({ direction: "improving", slope: 1 });
    expect(trendOf([1, 2, 3, 4, 5, 6], "lower")).toEqual({ direction: "worsening", slope: 1 });
  });

  it("is not moved by a few outliers", () => {
    const values = Array.from({ length: 20 }, (_, index) => 100 - index);
    expect(trendOf(values.with(7, 9000).with(12, 0), "lower")).toEqual({ direction: "improving", slope: -1 });
  });

  it("is steady for values that only scatter or never change", () => {
    const scattered = Array.from({ length: 60 }, (_, index) => 100 + 10 * Math.sin(index * 12.9898));
    expect(trendOf(scattered, "lower").direction).toBe("steady");
    expect(trendOf([5, 5, 5, 5, 5, 5], "lower")).toEqual({ direction: "steady", slope: 0 });
  });
});

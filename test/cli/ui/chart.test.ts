import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bar, sparkline } from "../../../src/cli/ui/chart.ts";
import { createSymbols } from "../../../src/cli/ui/style.ts";

const unicode = createSymbols(true);
const ascii = createSymbols(false);

describe("bar()", () => {
  it("draws eighths of a column", () => {
    expect(bar(10, 10, 4, unicode)).toBe("████");
    expect(bar(5, 10, 4, unicode)).toBe("██");
    expect(bar(1, 16, 2, unicode)).toBe("▏");
    expect(bar(3, 16, 2, unicode)).toBe("▍");
  });

  it("draws at least a sliver for a non-zero value, and nothing for zero", () => {
    expect(bar(1, 1_000_000, 10, unicode)).toBe("▏");
    expect(bar(0, 10, 10, unicode)).toBe("");
    expect(bar(0, 0, 10, unicode)).toBe("");
  });

  it("never exceeds its width, in blocks or in ASCII", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 80 }), (value, most, width) => {
        expect(bar(value, most, width, unicode).length).toBeLessThanOrEqual(width);
        expect(bar(value, most, width, ascii)).toMatch(new RegExp(`^#{0,${width}}$`));
      }),
    );
  });
});

describe("sparkline()", () => {
  it("draws a column per value, from the lowest step for zero to the highest for the maximum", () => {
    expect(sparkline([0, 1, 4, 8], unicode)).toBe("▁▂▅█");
    expect(sparkline([0, 0], unicode)).toBe("▁▁");
    expect(sparkline([0, 8], ascii)).toBe("_@");
  });
});

import { expect, it } from "vitest";
import { range } from "../../../../src/cli/tools/anomalies/severity.ts";

it.each([
  [92.612, 106.44, "92.6 to 106.4"],
  [1_764_000_123, 1_764_000_223, "1,764,000,123 to 1,764,000,223"],
  [1_000_004_501_234_567, 1_000_005_498_765_432, "1,000,004,500,000,000 to 1,000,005,500,000,000"],
  [12_345_678, 98_765_432, "12,000,000 to 99,000,000"],
  [4.538e-9, 5.507e-9, "4.54e-9 to 5.51e-9"],
  [-1200, 0, "-1,200 to 0"],
  [5, 5, "5"],
])("range() tells its ends apart: %d to %d", (low, high, told) => {
  expect(range({ low, high })).toBe(told);
});

import { expect, it } from "vitest";
import { deviceBytes } from "../../src/system/random-device.ts";

it("deviceBytes() returns distinct, evenly distributed bytes of the requested length", () => {
  for (const length of [0, 1, 10, 32, 4096]) expect(deviceBytes(length)).toHaveLength(length);
  const drawn = Array.from({ length: 1000 }, () => deviceBytes(10).toString("hex"));
  expect(new Set(drawn).size).toBe(1000);
  // Half of a million bits are set, within ten standard deviations.
  const set = deviceBytes(125_000).reduce(
    (sum, byte) => sum + byte.toString(2).replaceAll("0", "").length,
    0,
  );
  expect(Math.abs(set - 500_000)).toBeLessThan(5000);
});

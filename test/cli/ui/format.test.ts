import { expect, it } from "vitest";
import { bytes, count, number } from "../../../src/cli/ui/format.ts";

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [1_234_567.25, "1,234,567.3"],
  [-12_345.04, "-12,345"],
  [999.95, "1,000"],
  [0.5, "0.5"],
])("number() writes %d as %s", (value, text) => {
  expect(number(value)).toBe(text);
});

it("count() and bytes() write amounts with their units", () => {
  expect(count(1, "event")).toBe("1 event");
  expect(count(1200, "event")).toBe("1,200 events");
  expect(bytes(1_260_000)).toBe("1.3 MB");
});

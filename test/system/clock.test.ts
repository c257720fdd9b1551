import { expect, it } from "vitest";
import { parseTime } from "../../src/system/clock.ts";

it.each(["2028-02-29", "2026-04-30T23:59:59.999Z", "2026-12-31T09:00+02:00", "0001-01-01"])(
  "parseTime() accepts %s",
  (text) => expect(parseTime(text)).toBe(Date.parse(text)),
);

it.each([
  "2027-02-31",
  "2027-02-29",
  "2100-02-29T00:00Z",
  "2027-04-31T12:00:00+02:00",
  "2027-13-01",
  "2027-00-10",
  "soon",
])("parseTime() returns NaN for %s", (text) => expect(parseTime(text)).toBeNaN());

import { describe, expect, it } from "vitest";
import { createTimeZone } from "../../../src/tools/scheduler/calendar/time-zone.ts";

describe("createTimeZone()", () => {
  it.each([
    ["UTC", "2026-07-01T09:00:00", "2026-07-01T09:00:00+00:00"],
    ["Europe/Berlin", "2026-07-01T09:00:00", "2026-07-01T09:00:00+02:00"],
    ["Europe/Berlin", "2026-01-01T09:00:00.250", "2026-01-01T09:00:00.250+01:00"],
    ["Asia/Kolkata", "2026-01-01T00:00:00", "2026-01-01T00:00:00+05:30"],
    ["America/St_Johns", "2026-01-01T23:30:00", "2026-01-01T23:30:00-03:30"],
    ["Pacific/Kiritimati", "2026-01-01T00:00:00", "2026-01-01T00:00:00+14:00"],
    ["America/New_York", "2026-03-08T01:59:59", "2026-03-08T01:59:59-05:00"],
    // Local times that are skipped.
    ["America/New_York", "2026-03-08T02:30:00", "2026-03-08T03:30:00-04:00"],
    ["Europe/Berlin", "2026-03-29T02:00:00", "2026-03-29T03:00:00+02:00"],
    // Local times that occur twice mean the first.
    ["Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T02:30:00+02:00"],
    ["Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T03:00:00+01:00"],
  ])("in %s shows %s as %s", (name, local, expected) => {
    const zone = createTimeZone(name);
    const instant = zone.instantOf(Date.parse(`${local}Z`));
    expect(zone.textOf(instant)).toBe(expected);
    expect(instant).toBe(Date.parse(expected));
  });
});

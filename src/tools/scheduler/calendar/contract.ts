import * as z from "zod";
import { refinementRules } from "../../../contract/components.ts";
import { Name } from "../../../contract/endpoint.ts";
import { recordOf } from "../../../contract/record.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** A date, or a date and a time, in the calendar's time zone and thus without an offset. */
export const LocalTime = z
  .string()
  .refine(
    isLocalTime,
    'must be a date or a local time such as "2026-12-01T09:00", without an offset, from 1970 to 9998',
  )
  .register(refinementRules, {
    rule: 'A date, or a local time such as "2026-12-01T09:00", without an offset, from 1970 to 9998.',
  });

const HOURS = /^[a-z,-]+ (?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

const WorkingHours = {
  hours: z
    .array(
      z
        .string()
        .max(64)
        .refine(isHours, 'must be days and times such as "mon-fri 09:00-17:30"')
        .register(refinementRules, {
          rule: 'Days and times such as "mon-fri 09:00-17:30". An end that is not later than its beginning is on the next day.',
        }),
    )
    .max(50)
    .optional(),
  holidays: z.array(z.iso.date()).max(2000).default([]),
};

const TimeZoneName = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a time zone such as "Europe/Berlin" or "UTC"')
  .register(refinementRules, { rule: 'Of the IANA database, such as "Europe/Berlin" or "UTC".' });

export const PlanCalendar = z.strictObject({
  start: LocalTime.describe("Date or local time"),
  timeZone: TimeZoneName.default("UTC"),
  ...WorkingHours,
  hours: WorkingHours.hours.describe('Such as "mon-fri 09:00-17:30"'),
  resources: recordOf(Name, z.strictObject(WorkingHours))
    .refine((each) => Object.keys(each).length <= 50, "must have at most 50 resources")
    .register(refinementRules, { rule: "At most 50 resources." })
    .default({}),
});

export type PlanCalendar = z.output<typeof PlanCalendar>;

function isHours(text: string): boolean {
  return HOURS.test(text) && daysOf(text) !== undefined;
}

/** Returns the days that "mon-wed,sat 09:00-12:00" names, counted from 0 for Monday, or undefined if it is invalid. */
export function daysOf(text: string): Set<number> | undefined {
  const days = new Set<number>();
  for (const range of (text.split(" ")[0] as string).split(",")) {
    const [first = -1, last = first, ...more] = range.split("-").map((name) => DAYS.indexOf(name as never));
    if (first < 0 || last < 0 || more.length > 0) return undefined;
    // A range may wrap around the end of the week.
    for (let day = first; ; day = (day + 1) % DAYS.length) {
      days.add(day);
      if (day === last) break;
    }
  }
  return days;
}

function isLocalTime(text: string): boolean {
  const [date = "", time = "00:00"] = text.split("T");
  const year = Number(date.slice(0, 4));
  return (
    year >= 1970 &&
    year < 9999 &&
    z.iso.date().safeParse(date).success &&
    /^([01]\d|2[0-3])(:[0-5]\d){1,2}$/.test(time)
  );
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

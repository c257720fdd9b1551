import { z } from "zod";
import { inWords } from "../../../contract/components.ts";
import { Name } from "../../../contract/endpoint.ts";
import { recordOf } from "../../../contract/record.ts";

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const Clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as "09:00"');
const LocalDate = z.iso.date();
/** Without an offset: the calendar's time zone has it. */
export const LocalTime = z.iso
  .datetime({ local: true, offset: false, precision: null })
  .refine(
    (text) => !text.endsWith("Z"),
    "must be a local time, without an offset: the calendar has a time zone",
  )
  .or(LocalDate);

const Hours = z.array(
  z.strictObject({
    days: z.array(z.enum(DAYS)).min(1).max(7),
    from: Clock,
    to: Clock.describe("On the next day where it is not later than `from`"),
  }),
);

const WorkingHours = {
  hours: Hours.min(1).max(50).optional().describe("When there is work; all the time where this is left out"),
  holidays: z.array(LocalDate).max(2000).default([]).describe("Dates on which no working hours begin"),
};

const TimeZoneName = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a time zone such as "Europe/Berlin" or "UTC"');

export const PlanCalendar = z.strictObject({
  start: LocalTime.describe("When the plan begins, by a clock of the time zone; a date means its midnight"),
  timeZone: TimeZoneName.default("UTC"),
  ...WorkingHours,
  resources: recordOf(Name, z.strictObject({ ...WorkingHours, timeZone: TimeZoneName.optional() }))
    .refine((each) => Object.keys(each).length <= 50, "must have at most 50 resources")
    .default({})
    .register(inWords, { rule: "At most 50 resources." })
    .describe("What is narrower for a resource: it works when both the plan and the resource do"),
});

export type PlanCalendar = z.output<typeof PlanCalendar>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

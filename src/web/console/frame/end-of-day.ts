import * as z from "zod";
import { DAY_MS } from "../../../system/durations.ts";

/** A day to come, as a form names it, parsed as its end in UTC. */
export function endOfDay(now: number) {
  return z.iso
    .date("must be a day such as 2027-01-31")
    .transform((day) => Date.parse(day) + DAY_MS - 1)
    .refine((end) => end > now, "must lie in the future");
}

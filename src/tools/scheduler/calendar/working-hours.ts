import { DAY_MS, MINUTE_MS } from "../../../system/durations.ts";
import { daysOf } from "./contract.ts";
import { intersection, type Stretch, union } from "./stretches.ts";
import type { TimeZone } from "./time-zone.ts";

/** Length of a span. */
const SPAN = 28 * DAY_MS;

export interface WeeklyHours {
  /** Such as "mon-fri 09:00-17:30". */
  hours?: string[] | undefined;
  holidays: string[];
}

const ALWAYS = ["mon-sun 00:00-24:00"];

/** Returns a function from the index of a span to its open stretches, in milliseconds since the instant `start`. */
export function workingHours({ hours, holidays }: WeeklyHours, zone: TimeZone, start: number) {
  const closed = new Set(holidays.map((date) => Date.parse(date)));
  const rules = (hours ?? ALWAYS).map((rule) => ({ days: daysOf(rule), times: timesOf(rule) }));
  const weekly = Array.from({ length: 7 }, (_, day) =>
    rules.flatMap(({ days, times }) => (days?.has(day) ? [times] : [])),
  );
  const spans: Stretch[][] = [];
  return (span: number): readonly Stretch[] => {
    spans[span] ??= between(span * SPAN, (span + 1) * SPAN);
    return spans[span];
  };

  function between(from: number, to: number): Stretch[] {
    const open: Stretch[] = [];
    // Local dates differ from those of UTC by a day at most, and hours end at most a day after their date.
    const last = Math.ceil((start + to) / DAY_MS) + 1;
    for (let day = Math.floor((start + from) / DAY_MS) - 3; day <= last; day++) {
      if (closed.has(day * DAY_MS)) continue;
      // 1 January 1970 was a Thursday.
      for (const [begin, end] of weekly[(((day + 3) % 7) + 7) % 7] ?? []) {
        open.push([zone.instantOf(day * DAY_MS + begin) - start, zone.instantOf(day * DAY_MS + end) - start]);
      }
    }
    return intersection([union(open.filter(([begin, end]) => begin < end)), [[from, to]]]) as Stretch[];
  }
}

/** Parses times to milliseconds since midnight. An end that is not later than its beginning is on the next day. */
function timesOf(rule: string): Stretch {
  const [from, to] = (rule.split(" ")[1] as string).split("-").map((text) => {
    const [hours, minutes] = text.split(":").map(Number) as [number, number];
    return (hours * 60 + minutes) * MINUTE_MS;
  }) as [number, number];
  return [from, to > from ? to : to + DAY_MS];
}

import { Problem } from "../../../contract/problem.ts";
import { DAY_MS } from "../../../system/durations.ts";
import { type Calendar, createCalendar } from "./calendar.ts";
import type { PlanCalendar } from "./contract.ts";
import { intersection } from "./stretches.ts";
import { createTimeZone } from "./time-zone.ts";
import { workingHours } from "./working-hours.ts";

/** Spans of 28 days: about twenty years. */
const MAX_SPANS = 261;
/** Maximum number of different sets of resources with hours of their own. */
const MAX_CALENDARS = 200;

export interface PlanCalendars {
  /** Returns the calendar of tasks that take these resources; undefined if it is always open. */
  of(resources: Iterable<string>): Calendar | undefined;
  /**
   * Converts a local time to milliseconds since the plan's start, negative if it is before that. `isEnd`
   * takes the end of a date.
   */
  timeOf(local: string, isEnd?: boolean): number;
  textOf(time: number): string;
}

/** Returns why a task that takes these resources fits nowhere; undefined if it fits. */
export function hoursFault(
  { id, durationMs, interruptible }: { id: string; durationMs: number; interruptible: boolean },
  resources: readonly string[],
  calendars: PlanCalendars,
): string | undefined {
  const calendar = calendars.of(resources);
  if (!calendar || canStart(calendar, durationMs, !interruptible)) return undefined;
  const whose = resources.length > 0 ? ` of ${resources.map((name) => `"${name}"`).join(" and ")}` : "";
  return canStart(calendar, 0, false)
    ? `"${id}" takes ${Math.round(durationMs / 36_000) / 100} h and may not be interrupted, and no stretch of the working hours${whose} is as long within 20 years. Make it \`interruptible\` or lengthen the hours.`
    : `"${id}" cannot be planned: the working hours${whose} have no time within 20 years. Add hours.`;
}

function canStart(calendar: Calendar, work: number, whole: boolean): boolean {
  try {
    return calendar.start(0, work, whole) >= 0;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** Creates the calendars of a plan. Tasks with the same resources share one. */
export function createPlanCalendars(plan: PlanCalendar): PlanCalendars {
  const zone = createTimeZone(plan.timeZone);
  const start = zone.instantOf(localOf(plan.start));
  const general = isNarrow(plan) ? [workingHours(plan, zone, start)] : [];
  const own = new Map(
    Object.entries(plan.resources)
      .filter(([, hours]) => isNarrow(hours))
      .map(([name, hours]) => [name, workingHours(hours, zone, start)]),
  );
  const known = new Map<string, Calendar | undefined>();
  return {
    of(resources) {
      const names = Array.from(resources)
        .filter((name) => own.has(name))
        .sort();
      const key = JSON.stringify(names);
      if (!known.has(key)) {
        if (known.size === MAX_CALENDARS) {
          throw new Problem(
            "unprocessable",
            `The tasks need more than ${MAX_CALENDARS} different sets of resources with hours of their own. Give fewer resources hours.`,
          );
        }
        known.set(key, calendarOf(names));
      }
      return known.get(key);
    },
    timeOf: (local, isEnd = false) => {
      const isDate = !local.includes("T");
      return zone.instantOf(localOf(local) + (isDate && isEnd ? DAY_MS : 0)) - start;
    },
    textOf: (time) => zone.textOf(start + time),
  };

  function calendarOf(names: readonly string[]): Calendar | undefined {
    const all = [...general, ...names.map((name) => own.get(name) as (typeof general)[number])];
    if (all.length === 0) return undefined;
    return createCalendar((span) => {
      if (span < MAX_SPANS) return intersection(all.map((stretchesOf) => stretchesOf(span)));
      const whose =
        names.length === 0
          ? "there are"
          : `${names.map((name) => `"${name}"`).join(" and ")} ${names.length > 1 ? "together have" : "has"}`;
      throw new Problem(
        "unprocessable",
        `The plan does not fit 20 years: ${whose} too few working hours. Add hours.`,
      );
    });
  }
}

function isNarrow({ hours, holidays }: { hours?: unknown; holidays: readonly unknown[] }): boolean {
  return hours !== undefined || holidays.length > 0;
}

function localOf(text: string): number {
  return Date.parse(text.includes("T") ? `${text}Z` : text);
}

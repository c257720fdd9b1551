import { type Granularity, USAGE_TYPES } from "../../../metering/contract.ts";
import { bucketOf, startOf } from "../../../metering/usage/buckets.ts";
import type { GroupSort, UsageQuestion } from "../../../metering/usage/reports/usage-views.ts";
import { parseTime } from "../../../system/clock.ts";
import { DAY_MS } from "../../../system/durations.ts";
import { cursorIn, may } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";

/** More bars would be narrower than a pixel on a phone, and make the page large. */
const MAX_BARS = 200;

interface Period {
  title: string;
  /** In buckets of the first granularity. */
  length: number;
  granularities: readonly [Granularity, ...Granularity[]];
}

/** The periods to choose from. */
export const PERIODS: Readonly<Record<string, Period>> = {
  "24h": { title: "24 hours", length: 24, granularities: ["hour"] },
  "7d": { title: "7 days", length: 7, granularities: ["day", "hour"] },
  "30d": { title: "30 days", length: 30, granularities: ["day"] },
  "90d": { title: "90 days", length: 90, granularities: ["day", "month"] },
  "12m": { title: "12 months", length: 12, granularities: ["month"] },
};
const USUAL_PERIOD = "30d";
export const OWN_PERIOD = "own";

export const BY = ["key", "user", "tool", "project"] as const;
export type By = (typeof BY)[number];

/** The number of days that the overview shows. */
export const LAST_DAYS = 14;

export function lastDays(now: number, days = LAST_DAYS) {
  const to = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  return { granularity: "day", from: to - days * DAY_MS, to } as const;
}

/** The parsed address of the usage page. */
export interface Asked {
  question: UsageQuestion;
  /** One of `PERIODS`, or `OWN_PERIOD`. */
  period: string;
  /** The granularities that suit the period. */
  granularities: readonly Granularity[];
  /** Whether to show the previous period, too. */
  compare: boolean;
  /** Whether all projects are shown together. */
  isWhole: boolean;
  by: By;
  sort: GroupSort;
  ascending: boolean;
  /** Where the page of groups begins. */
  cursor: string | undefined;
}

/**
 * Parses an address. Invalid parts are replaced by their defaults, so that a mistyped address still shows something.
 */
export function askedOf(view: View): Asked {
  const { query, projectId, now } = view;
  const given = (name: string) => query.get(name)?.trim().slice(0, 256) || undefined;
  const own = ownRange(given("from"), given("to"), now);
  const period = own
    ? OWN_PERIOD
    : Object.hasOwn(PERIODS, given("period") ?? "")
      ? (given("period") as string)
      : USUAL_PERIOD;
  const granularities = own ? granularitiesFor(own) : (PERIODS[period] as Period).granularities;
  const granularity =
    granularities.find((each) => each === given("each")) ?? (granularities[0] as Granularity);
  const range = own ?? recent(PERIODS[period] as Period, now);
  const by = bysFor(view).find((each) => each === given("by")) ?? "key";
  const isWhole = given("of") === "all" || by === "project";
  const sort = given("sort") ?? "-total";
  const name = sort.replace(/^-/, "");
  return {
    period,
    granularities,
    compare: given("before") !== undefined,
    isWhole,
    by,
    sort: isSort(name) ? name : "total",
    ascending: isSort(name) && !sort.startsWith("-"),
    cursor: cursorIn(view),
    question: {
      granularity,
      ...toWholeBuckets(range, granularity),
      type: USAGE_TYPES.find((type) => type === given("type")),
      projectId: isWhole ? undefined : projectId,
      keyId: given("key"),
      userId: given("user"),
      tool: given("tool"),
    },
  };
}

/** Returns the parameters of the address for which something else is shown. */
export function ignoredParams({ period, by, question }: Asked, { query }: View): string[] {
  const shown = { period, by, each: question.granularity, type: question.type };
  const isOwn = period === OWN_PERIOD;
  const differing = Object.entries(shown).filter(
    ([name, value]) => (query.get(name)?.trim() || value) !== value && !(isOwn && name === "period"),
  );
  return [...(isOwn ? [] : ["from", "to"]), ...differing.map(([name]) => name)];
}

/** Returns the period of the same length before this one. */
export function before({ granularity, from, to }: UsageQuestion): Pick<UsageQuestion, "from" | "to"> {
  const [first, end] = [bucketOf(granularity, from), bucketOf(granularity, to)];
  return { from: startOf(granularity, first - (end - first)), to: from };
}

/** Returns the groupings for the viewer. Members only see their own use, so they get none by user. */
export function bysFor(view: View): readonly By[] {
  return may(view, "admin") ? BY : BY.filter((by) => by !== "user");
}

function isSort(name: string): name is GroupSort {
  return name === "total" || name === "refused" || (USAGE_TYPES as readonly string[]).includes(name);
}

interface Range {
  from: number;
  to: number;
}

function recent({ length, granularities: [granularity] }: Period, now: number): Range {
  const end = bucketOf(granularity, now) + 1;
  return { from: startOf(granularity, end - length), to: startOf(granularity, end) };
}

/** Extends a range to whole buckets. */
function toWholeBuckets({ from, to }: Range, granularity: Granularity): Range {
  return {
    from: startOf(granularity, bucketOf(granularity, from)),
    to: startOf(granularity, bucketOf(granularity, to - 1) + 1),
  };
}

/** Returns the range between two days, both included, if both are valid and the range can be shown. */
function ownRange(from: string | undefined, to: string | undefined, now: number): Range | undefined {
  const [first, last] = [dayIn(from), dayIn(to)];
  if (first === undefined || last === undefined || first > last || last > now) return undefined;
  const range = { from: first, to: last + DAY_MS };
  return granularitiesFor(range).length > 0 ? range : undefined;
}

function dayIn(text: string | undefined): number | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text ?? "") ? parseTime(text as string) : Number.NaN;
  return at >= 0 ? at : undefined;
}

function granularitiesFor({ from, to }: Range): Granularity[] {
  const days = (to - from) / DAY_MS;
  const bars: [Granularity, number][] = [
    ["day", days],
    ["hour", days * 24],
    ["month", days / 28],
  ];
  const fitting = bars.filter(([each, count]) => count <= MAX_BARS && (each !== "month" || days > 31));
  return fitting.map(([each]) => each);
}

import { projectSpace, type Space, type Transaction } from "../../store/store.ts";
import { BoundedMap } from "../../system/caching.ts";
import { GRANULARITIES, type Granularity, USAGE_TYPES, type UsageType } from "../contract.ts";
import { countInAccountMonth } from "./account-months.ts";
import { bucketName, bucketOf } from "./buckets.ts";
import { countByOrigin, countOneByOrigin, type Origin } from "./origins.ts";

/** A number of uses at an instant. */
export interface Use {
  type: UsageType;
  count: number;
  /** Milliseconds since the epoch. */
  at: number;
  origin: Origin;
}

/**
 * Names of the counters. Each bucket and type has one in the project's space, with an id such as
 * `2026-01-15T12/api_calls`.
 */
export const PROJECT_COUNTERS: Record<Granularity, string> = {
  hour: "usage_hours",
  day: "usage_days",
  month: "usage_months",
};

type CounterIds = Record<UsageType, Record<Granularity, string>>;

/** Events of up to 90 days ago are counted, so no more hours are in use at once. */
const MAX_REMEMBERED = 90 * 24 + 1;
const idsByHour = new BoundedMap<number, CounterIds>(MAX_REMEMBERED);

function counterIds(at: number): CounterIds {
  const bucket = bucketOf("hour", at);
  const remembered = idsByHour.get(bucket);
  if (remembered) return remembered;
  const hour = bucketName("hour", at);
  const day = bucketName("day", at);
  const month = bucketName("month", at);
  const ids = Object.fromEntries(
    USAGE_TYPES.map((type) => [
      type,
      { hour: `${hour}/${type}`, day: `${day}/${type}`, month: `${month}/${type}` },
    ]),
  ) as CounterIds;
  idsByHour.set(bucket, ids);
  return ids;
}

/** The new totals of a type: of its project for the day and the month, and of its account for the month. */
export interface UseTotals {
  day: number;
  month: number;
  accountMonth: number;
}

/** Counts a use. */
export async function countUse(tx: Transaction, use: Use): Promise<UseTotals> {
  const { type, count, at, origin } = use;
  const space = projectSpace(origin.accountId, origin.projectId);
  const ids = counterIds(at)[type];
  const [, day, month, accountMonth] = await Promise.all([
    tx.increment(PROJECT_COUNTERS.hour, space, ids.hour, count),
    tx.increment(PROJECT_COUNTERS.day, space, ids.day, count),
    tx.increment(PROJECT_COUNTERS.month, space, ids.month, count),
    countInAccountMonth(tx, origin.accountId, ids.month, count),
    countOneByOrigin(tx, use),
  ]);
  return { day, month, accountMonth };
}

/** Counts many uses of one project with one increment per counter. */
export async function countUses(tx: Transaction, uses: readonly Use[]): Promise<void> {
  const [first] = uses;
  if (!first) return;
  const { accountId, projectId } = first.origin;
  const space = projectSpace(accountId, projectId);
  await Promise.all([
    countByOrigin(tx, uses),
    ...GRANULARITIES.flatMap((granularity) =>
      [...sumsOf(uses, granularity)].map(([id, sum]) =>
        tx.increment(PROJECT_COUNTERS[granularity], space, id, sum),
      ),
    ),
    ...[...sumsOf(uses, "month")].map(([id, sum]) => countInAccountMonth(tx, accountId, id, sum)),
  ]);
}

/** Adds uses up by the id of their counter. */
function sumsOf(uses: readonly Use[], granularity: Granularity): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { type, count, at } of uses) {
    const id = counterIds(at)[type][granularity];
    sums.set(id, (sums.get(id) ?? 0) + count);
  }
  return sums;
}

/** Returns the counts from the bucket with `from` up to and excluding the one with `to`. */
export async function countsBetween(
  tx: Transaction,
  space: Space,
  granularity: Granularity,
  { from, to }: { from: number; to: number },
): Promise<{ bucket: string; type: UsageType; count: number }[]> {
  const names = { from: bucketName(granularity, from), to: bucketName(granularity, to) };
  const counts = await tx.counts(PROJECT_COUNTERS[granularity], space, names);
  return counts.map(({ id, count }) => {
    const [bucket, type] = id.split("/") as [string, UsageType];
    return { bucket, type, count };
  });
}

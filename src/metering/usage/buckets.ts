import { iso } from "../../system/clock.ts";
import { DAY_MS, HOUR_MS } from "../../system/durations.ts";
import type { Granularity } from "../contract.ts";

/**
 * Buckets are hours, days and months in UTC, numbered since 1970, so that distances are subtractions, even for
 * months.
 */

/** Returns the number of the bucket that contains an instant (milliseconds since the epoch). */
export function bucketOf(granularity: Granularity, at: number): number {
  if (granularity === "hour") return Math.floor(at / HOUR_MS);
  if (granularity === "day") return Math.floor(at / DAY_MS);
  const date = new Date(at);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Returns the start of a bucket in milliseconds since the epoch. */
export function startOf(granularity: Granularity, bucket: number): number {
  if (granularity === "hour") return bucket * HOUR_MS;
  if (granularity === "day") return bucket * DAY_MS;
  return Date.UTC(1970, bucket);
}

/** Length of the prefix of an ISO 8601 text that identifies a bucket, such as `2026-01-15T12`. */
const NAME_LENGTH: Record<Granularity, number> = { hour: 13, day: 10, month: 7 };

/** Returns the name of the bucket that contains an instant. Names sort like their buckets. */
export function bucketName(granularity: Granularity, at: number): string {
  return nameIn(granularity, iso(at));
}

/** Returns the name of the bucket that contains an instant, given as `iso` formats it. */
export function nameIn(granularity: Granularity, at: string): string {
  return at.slice(0, NAME_LENGTH[granularity]);
}

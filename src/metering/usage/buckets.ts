import { iso } from "../../system/clock.ts";
import type { Granularity } from "../contract.ts";

/**
 * Hours, days and months in UTC, numbered since 1970: what lies between two of them is a
 * subtraction, also for months.
 */
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The number of the bucket that holds an instant (milliseconds since the epoch). */
export function bucketOf(granularity: Granularity, at: number): number {
  if (granularity === "hour") return Math.floor(at / HOUR_MS);
  if (granularity === "day") return Math.floor(at / DAY_MS);
  const date = new Date(at);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** When a bucket begins, in milliseconds since the epoch. */
export function startOf(granularity: Granularity, bucket: number): number {
  if (granularity === "hour") return bucket * HOUR_MS;
  if (granularity === "day") return bucket * DAY_MS;
  return Date.UTC(1970, bucket);
}

/** As much of the ISO 8601 text as tells one bucket from the next: `2026-01-15T12`. */
const NAME_LENGTH: Record<Granularity, number> = { hour: 13, day: 10, month: 7 };

/** The name of the bucket that holds an instant. Names sort as their buckets do. */
export function bucketName(granularity: Granularity, at: number): string {
  return nameIn(granularity, iso(at));
}

/** The name of the bucket that holds an instant, as `iso` writes it. */
export function nameIn(granularity: Granularity, at: string): string {
  return at.slice(0, NAME_LENGTH[granularity]);
}

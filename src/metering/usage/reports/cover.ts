import type { Granularity } from "../../contract.ts";
import { bucketOf, startOf } from "../buckets.ts";

/** A range of buckets of one length, in milliseconds since the epoch. */
export interface Stretch {
  granularity: Granularity;
  from: number;
  /** Exclusive. */
  to: number;
}

const COARSEST_FIRST = ["month", "day", "hour"] as const;

/** Splits a range of whole hours into the fewest buckets, in order: whole months, days and hours. */
export function cover(
  from: number,
  to: number,
  granularities: readonly Granularity[] = COARSEST_FIRST,
): Stretch[] {
  const [granularity, ...finer] = granularities;
  if (granularity === undefined || from >= to) return [];
  const begin = startOf(granularity, bucketOf(granularity, from - 1) + 1);
  const end = startOf(granularity, bucketOf(granularity, to));
  if (begin >= end) return cover(from, to, finer);
  return [...cover(from, begin, finer), { granularity, from: begin, to: end }, ...cover(end, to, finer)];
}

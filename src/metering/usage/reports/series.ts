import type { Store } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import type { Granularity, UsageType } from "../../contract.ts";
import { bucketOf, nameIn, startOf } from "../buckets.ts";
import { isSelected, type Selection } from "./grouped-report.ts";
import { openReading } from "./reading.ts";

export interface SeriesQuestion {
  /** Limited to one account. */
  selection: Selection & { accountId: string };
  granularity: Granularity;
  /** Milliseconds since the epoch, at the start of a bucket. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** A bucket by its start (ISO 8601), with its counts. Types without a count are omitted. */
export interface UsagePoint {
  at: string;
  counts: Partial<Record<UsageType, number>>;
}

/** Returns every bucket of a range with the counts of the selected usage, including empty ones. */
export async function usageSeries(
  store: Pick<Store, "transact">,
  { selection, granularity, from, to }: SeriesQuestion,
): Promise<UsagePoint[]> {
  const stretch = { granularity, from, to };
  const sums = new Map<string, UsagePoint["counts"]>();
  const add = (bucket: string, type: UsageType, count: number) => {
    if (selection.type !== undefined && selection.type !== type) return;
    const counts = sums.get(bucket) ?? {};
    sums.set(bucket, counts);
    counts[type] = (counts[type] ?? 0) + count;
  };
  const { accountId, projectId, keyId, userId, tool } = selection;
  const reading = openReading(store);
  if (keyId === undefined && userId === undefined && tool === undefined) {
    // These are few counters, and they include uses from before origins were counted.
    for await (const counts of reading.byProject(accountId, projectId, [stretch]))
      for (const { bucket, type, count } of counts) add(bucket, type, count);
  } else {
    for await (const uses of reading.byOrigin(accountId, stretch))
      for (const { bucket, type, count, origin } of uses)
        if (type !== "refused" && isSelected(type, origin, selection)) add(bucket, type, count);
  }

  const points: UsagePoint[] = [];
  for (let bucket = bucketOf(granularity, from); startOf(granularity, bucket) < to; bucket++) {
    const at = iso(startOf(granularity, bucket));
    points.push({ at, counts: sums.get(nameIn(granularity, at)) ?? {} });
  }
  return points;
}

import { projects } from "../../accounts/model.ts";
import { accountSpace, projectSpace, type Store } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { Granularity, UsageType } from "../contract.ts";
import { countsByOrigin } from "./breakdown.ts";
import { bucketOf, nameIn, startOf } from "./buckets.ts";
import { countsBetween } from "./counters.ts";
import { isSelected, MAX_COUNTERS, PROJECTS, type Selection, SLICE, tooMany } from "./grouped-report.ts";

export interface SeriesQuestion {
  /** Of one account. */
  selection: Selection & { accountId: string };
  granularity: Granularity;
  /** In milliseconds since the epoch, starts of buckets. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** A bucket, by when it begins (ISO 8601), with what was counted in it; what was not counted is left out. */
export interface UsagePoint {
  at: string;
  counts: Partial<Record<UsageType, number>>;
}

/** Every bucket of a range with what was counted of some usage, empty ones included. */
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
  const { accountId, keyId, userId, tool } = selection;
  if (keyId === undefined && userId === undefined && tool === undefined) await addProjects();
  else await addOrigins();

  const points: UsagePoint[] = [];
  for (let bucket = bucketOf(granularity, from); startOf(granularity, bucket) < to; bucket++) {
    const at = iso(startOf(granularity, bucket));
    points.push({ at, counts: sums.get(nameIn(granularity, at)) ?? {} });
  }
  return points;

  /** What projects counted, whoever did it: few counters, and what is older than it is told apart, too. */
  async function addProjects(): Promise<void> {
    const { projectId } = selection;
    const space = accountSpace(accountId);
    const ids = projectId === undefined ? await store.transact((tx) => tx.ids(projects, space)) : [projectId];
    for (let at = 0; at < ids.length; at += PROJECTS) {
      const some = ids.slice(at, at + PROJECTS);
      const parts = await store.transact((tx) =>
        Promise.all(some.map((id) => countsBetween(tx, projectSpace(accountId, id), granularity, stretch))),
      );
      for (const { bucket, type, count } of parts.flat()) add(bucket, type, count);
      await new Promise(setImmediate);
    }
  }

  async function addOrigins(): Promise<void> {
    let after: string | undefined;
    let read = 0;
    do {
      const part = await store.transact((tx) =>
        countsByOrigin(tx, accountId, stretch, { after, limit: SLICE }),
      );
      for (const { bucket, type, count, origin } of part.uses) {
        if (type !== "refused" && isSelected(type, origin, selection)) add(bucket, type, count);
      }
      read += part.uses.length;
      if (read > MAX_COUNTERS) throw tooMany(false);
      after = part.after;
      await new Promise(setImmediate);
    } while (after !== undefined);
  }
}

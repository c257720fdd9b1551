import { type Caller, lastingIdOf } from "../../contract/caller.ts";
import { accountSpace, type Space, type Transaction } from "../../store/store.ts";
import { BoundedMap } from "../../system/caching.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { GRANULARITIES, type Granularity, type UsageType } from "../contract.ts";
import { bucketOf, nameIn } from "./buckets.ts";
import type { Stretch } from "./reports/cover.ts";

/** Where, by whom and with what something was used. An empty string means unknown or none. */
export interface Origin {
  accountId: string;
  projectId: string;
  /** Id of the API key, the sign-in of a device, or the browser session. */
  keyId: string;
  userId: string;
  /** A name of the server's own or from `namedTools`, because each name creates counters. */
  tool: string;
}

/** Type of a request that a limit refused. It is counted separately from usage. */
export const REFUSED = "refused";
export type CountedType = UsageType | typeof REFUSED;

export interface CountedUse {
  type: CountedType;
  count: number;
  /** Milliseconds since the epoch. */
  at: number;
  origin: Origin;
}

/**
 * Names of the counters. Each bucket, type and origin has one counter in the account's space, with an id of the
 * bucket such as `2026-01-15T12`, type, project, key, user and tool. None of them contains the separator.
 */
export const ORIGIN_COUNTERS: Record<Granularity, string> = {
  hour: "usage_by_hour",
  day: "usage_by_day",
  month: "usage_by_month",
};
export const SEPARATOR = "\t";

/** Returns the origin of a caller's use, without a tool. */
export function originOf(caller: Pick<Caller, "accountId" | "userId" | "credential" | "projectId">): Origin {
  const { accountId, userId, credential, projectId } = caller;
  return { accountId, projectId, keyId: lastingIdOf(credential), userId, tool: "" };
}

/** Counts uses with one increment per counter. */
export async function countByOrigin(tx: Transaction, uses: readonly CountedUse[]): Promise<void> {
  const sums = new Map<string, { counter: string; space: Space; id: string; sum: number }>();
  for (const use of uses) {
    const space = accountSpace(use.origin.accountId);
    const ids = counterIds(use);
    for (const granularity of GRANULARITIES) {
      const id = ids[granularity];
      const key = space + SEPARATOR + id;
      const counted = sums.get(key);
      if (counted) counted.sum += use.count;
      else sums.set(key, { counter: ORIGIN_COUNTERS[granularity], space, id, sum: use.count });
    }
  }
  await Promise.all(
    Array.from(sums.values(), ({ counter, space, id, sum }) => tx.increment(counter, space, id, sum)),
  );
}

/** Counts a single use, the case of most requests, without the grouping of `countByOrigin`. */
export async function countOneByOrigin(tx: Transaction, use: CountedUse): Promise<void> {
  const space = accountSpace(use.origin.accountId);
  const ids = counterIds(use);
  await Promise.all([
    tx.increment(ORIGIN_COUNTERS.hour, space, ids.hour, use.count),
    tx.increment(ORIGIN_COUNTERS.day, space, ids.day, use.count),
    tx.increment(ORIGIN_COUNTERS.month, space, ids.month, use.count),
  ]);
}

/** Counter ids of the current hour, cached by the part after the bucket, because origins tend to repeat. */
interface CounterIds extends Record<Granularity, string> {
  bucket: number;
}
const MAX_REMEMBERED = 10_000;
const remembered = new BoundedMap<string, CounterIds>(MAX_REMEMBERED);

function counterIds({ type, at, origin }: CountedUse): CounterIds {
  const { projectId, keyId, userId, tool } = origin;
  const behind = ["", type, projectId, keyId, userId, tool].join(SEPARATOR);
  const bucket = bucketOf("hour", at);
  const known = remembered.get(behind);
  if (known?.bucket === bucket) return known;
  const time = iso(at);
  const ids = {
    bucket,
    hour: nameIn("hour", time) + behind,
    day: nameIn("day", time) + behind,
    month: nameIn("month", time) + behind,
  };
  remembered.set(behind, ids);
  return ids;
}

type CounterParts = [
  bucket: string,
  type: CountedType,
  projectId: string,
  keyId: string,
  userId: string,
  tool: string,
];

/** A page of an account's counts by origin, in the order of the buckets. */
export interface OriginCounts {
  uses: (Omit<CountedUse, "at"> & { bucket: string })[];
  /** Cursor of the next page; undefined on the last one. */
  after: string | undefined;
}

/** Returns a page of the counts by origin, from the bucket with `from` up to and excluding the one with `to`. */
export async function countsByOrigin(
  tx: Transaction,
  accountId: string,
  { granularity, from, to }: Stretch,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<OriginCounts> {
  const counts = await tx.counts(ORIGIN_COUNTERS[granularity], accountSpace(accountId), {
    from: nameIn(granularity, iso(from)),
    to: nameIn(granularity, iso(to)),
    limit,
    ...defined({ after }),
  });
  const uses = counts.map(({ id, count }) => {
    const [bucket, type, projectId, keyId, userId, tool] = id.split(SEPARATOR) as CounterParts;
    return {
      bucket,
      type,
      count,
      origin: { accountId, projectId, keyId, userId, tool },
    };
  });
  return { uses, after: counts.length < limit ? undefined : counts.at(-1)?.id };
}

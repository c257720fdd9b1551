import type { Caller } from "../../contract/caller.ts";
import { accountSpace, type Space, type Transaction } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { Recent } from "../../system/lately.ts";
import { GRANULARITIES, type Granularity, type UsageType } from "../contract.ts";
import { bucketOf, nameIn } from "./buckets.ts";
import type { Stretch } from "./reports/cover.ts";

/** What was used where, by whom and with what. An empty text: it is not known, or there is none. */
export interface Origin {
  accountId: string;
  projectId: string;
  /** Of an API key, the sign-in of a device, or a browser's session. */
  keyId: string;
  userId: string;
  /** A name of the server's own, or of `namedTools`: names make counters. */
  tool: string;
}

/** A limit refused the request: nothing was used, and it is counted beside what was. */
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
 * One counter for each bucket, type and origin, in the account's space, as
 * `2026-01-15T12`, type, project, key, user and tool, none of which holds the separator.
 */
export const COUNTERS: Record<Granularity, string> = {
  hour: "usage_by_hour",
  day: "usage_by_day",
  month: "usage_by_month",
};
export const SEPARATOR = "\t";

/** Of what a caller does, as yet without a tool. */
export function originOf(caller: Pick<Caller, "accountId" | "userId" | "credential" | "projectId">): Origin {
  const { accountId, userId, credential, projectId } = caller;
  return { accountId, projectId, keyId: keyIdOf(credential), userId, tool: "" };
}

/** Access tokens last an hour; the sign-in that they descend from is what people know and end. */
export function keyIdOf({ familyId, id }: Pick<Caller["credential"], "familyId" | "id">): string {
  return familyId ?? id;
}

/** With one increment for each counter that they touch. */
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
      else sums.set(key, { counter: COUNTERS[granularity], space, id, sum: use.count });
    }
  }
  await Promise.all(
    Array.from(sums.values(), ({ counter, space, id, sum }) => tx.increment(counter, space, id, sum)),
  );
}

/** `countByOrigin` of one, as most requests count. */
export async function countOneByOrigin(tx: Transaction, use: CountedUse): Promise<void> {
  const space = accountSpace(use.origin.accountId);
  const ids = counterIds(use);
  await Promise.all([
    tx.increment(COUNTERS.hour, space, ids.hour, use.count),
    tx.increment(COUNTERS.day, space, ids.day, use.count),
    tx.increment(COUNTERS.month, space, ids.month, use.count),
  ]);
}

/** Ids of an hour, by what is behind their buckets: who counts once counts again. */
interface CounterIds extends Record<Granularity, string> {
  bucket: number;
}
const MAX_REMEMBERED = 10_000;
const remembered = new Recent<string, CounterIds>(MAX_REMEMBERED);

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

/** Some of what was counted by origin in an account, in the order of the buckets. */
export interface OriginCounts {
  uses: (Omit<CountedUse, "at"> & { bucket: string })[];
  /** To go on behind them; undefined where there are no more. */
  after: string | undefined;
}

/** What was counted by origin from the bucket that holds `from` up to the one before that which holds `to`. */
export async function countsByOrigin(
  tx: Transaction,
  accountId: string,
  { granularity, from, to }: Stretch,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<OriginCounts> {
  const counts = await tx.counts(COUNTERS[granularity], accountSpace(accountId), {
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

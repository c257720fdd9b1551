import type { Caller } from "../../contract/caller.ts";
import { accountSpace, type Space, type Transaction } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import { GRANULARITIES, type Granularity, type UsageType } from "../contract.ts";
import { nameIn } from "./buckets.ts";
import type { Stretch } from "./cover.ts";

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
  hour: "usage_hours_by_origin",
  day: "usage_days_by_origin",
  month: "usage_months_by_origin",
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

/** Counts them by their origins, with one increment for each counter that they touch. */
export async function countByOrigin(tx: Transaction, uses: readonly CountedUse[]): Promise<void> {
  const sums = new Map<string, { counter: string; space: Space; id: string; sum: number }>();
  for (const { type, count, at, origin } of uses) {
    const { accountId, projectId, keyId, userId, tool } = origin;
    const space = accountSpace(accountId);
    const behind = [type, projectId, keyId, userId, tool].join(SEPARATOR);
    const time = iso(at);
    for (const granularity of GRANULARITIES) {
      const id = nameIn(granularity, time) + SEPARATOR + behind;
      const key = space + SEPARATOR + id;
      const counted = sums.get(key);
      if (counted) counted.sum += count;
      else sums.set(key, { counter: COUNTERS[granularity], space, id, sum: count });
    }
  }
  await Promise.all(
    Array.from(sums.values(), ({ counter, space, id, sum }) => tx.increment(counter, space, id, sum)),
  );
}

/** Some of what was counted by origin in an account, in the order of the buckets. */
export interface OriginCounts {
  uses: Omit<CountedUse, "at">[];
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
    ...(after !== undefined && { after }),
  });
  const uses = counts.map(({ id, count }) => {
    const [, type, projectId = "", keyId = "", userId = "", tool = ""] = id.split(SEPARATOR);
    return { type: type as CountedType, count, origin: { accountId, projectId, keyId, userId, tool } };
  });
  return { uses, after: counts.length < limit ? undefined : counts.at(-1)?.id };
}

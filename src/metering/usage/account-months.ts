import { accountSpace, type Transaction } from "../../store/store.ts";
import { USAGE_TYPES, type UsageType } from "../contract.ts";
import { bucketName } from "./buckets.ts";

/** Name of the counters in the account's space, with an id such as `2026-01/api_calls`: uses in all of its projects. */
export const ACCOUNT_MONTHS = "usage_account_months";

/** Adds uses to a month of their account, whose id in `ACCOUNT_MONTHS` is given. Returns the new total. */
export function countInAccountMonth(
  tx: Transaction,
  accountId: string,
  id: string,
  count: number,
): Promise<number> {
  return tx.increment(ACCOUNT_MONTHS, accountSpace(accountId), id, count);
}

/** Returns the uses of each type in the month that contains an instant (milliseconds since the epoch). */
export async function usesInMonth(
  tx: Transaction,
  accountId: string,
  at: number,
): Promise<Record<UsageType, number>> {
  const month = bucketName("month", at);
  // From a slash to the next character: exactly this month.
  const counts = await tx.counts(ACCOUNT_MONTHS, accountSpace(accountId), {
    from: `${month}/`,
    to: `${month}0`,
  });
  const used = new Map(counts.map(({ id, count }) => [id.slice(month.length + 1), count]));
  return Object.fromEntries(USAGE_TYPES.map((type) => [type, used.get(type) ?? 0])) as Record<
    UsageType,
    number
  >;
}

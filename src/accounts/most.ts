import { Problem } from "../contract/problem.ts";
import { accountSpace, type Collection, GLOBAL, type Transaction } from "../store/store.ts";
import { signInCounts, type UserReference } from "./model.ts";

/**
 * Of each of these an account may have: users with those that are invited, keys, projects. They are not
 * refused for what else it stores, for they are what people need to mend that.
 */
export const MAX_OF_ACCOUNT = 10_000;

/** Signed-in devices, and browsers, of an account. */
export const MAX_SIGN_INS = 1000;
/** They are counted once in so long, and then kept count of: those that expire meanwhile count on. */
const COUNTED_MS = 60_000;
/** So many are read at a time where somebody is looked for; first the oldest alone. */
const PAGE = 50;

/** `Problem` `conflict` where an account has as many as it may; `remedy` is a sentence. */
export async function refuseWhereFull(
  tx: Transaction,
  collection: Collection<unknown>,
  accountId: string,
  { what, remedy }: { what: string; remedy: string },
): Promise<void> {
  const some = await tx.ids(collection, accountSpace(accountId), { limit: MAX_OF_ACCOUNT });
  if (some.length < MAX_OF_ACCOUNT) return;
  throw new Problem(
    "conflict",
    `This account has ${MAX_OF_ACCOUNT} ${what}, the most there may be. ${remedy}`,
  );
}

/**
 * What gives way to one more sign-in where an account has as many as it may: the oldest of the same user,
 * so that nobody can end those of others by signing in again and again; the oldest of all where there is none.
 */
export async function oldestToGiveWay<T extends { userId: string }>(
  tx: Transaction,
  collection: Collection<T>,
  { accountId, userId }: UserReference,
  now: number,
): Promise<{ id: string; value: T } | undefined> {
  if (!(await isFull(tx, collection, accountId, now))) return undefined;
  const space = accountSpace(accountId);
  // Ids are ordered by the time of their making; mostly somebody who signs in so often is among the first.
  const [first] = await tx.list(collection, space, { limit: 1 });
  for (let last = first; last && last.value.userId !== userId; ) {
    const some = await tx.list(collection, space, { after: last.id, limit: PAGE });
    const own = some.find(({ value }) => value.userId === userId);
    if (own) return own;
    last = some.at(-1);
  }
  return first;
}

/** Whether an account has as many as it may; counts one more unless it has. */
async function isFull(
  tx: Transaction,
  collection: Collection<unknown>,
  accountId: string,
  now: number,
): Promise<boolean> {
  const id = countOf(collection, accountId);
  const kept = await tx.get(signInCounts, GLOBAL, id);
  const count =
    kept?.count ?? (await tx.ids(collection, accountSpace(accountId), { limit: MAX_SIGN_INS })).length;
  const full = count >= MAX_SIGN_INS;
  if (!kept || !full) {
    const until = kept?.until ?? now + COUNTED_MS;
    await tx.put(signInCounts, GLOBAL, id, { count: full ? count : count + 1, until }, { expiresAt: until });
  }
  return full;
}

/** Ends one before its time: what is left is counted anew. */
export async function endSignIn(
  tx: Transaction,
  collection: Collection<unknown>,
  accountId: string,
  id: string,
): Promise<void> {
  await tx.delete(collection, accountSpace(accountId), id);
  await tx.delete(signInCounts, GLOBAL, countOf(collection, accountId));
}

function countOf({ name }: Collection<unknown>, accountId: string): string {
  return `${name}/${accountId}`;
}

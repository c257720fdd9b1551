import { Problem } from "../contract/problem.ts";
import { accountSpace, type Collection, GLOBAL, type Transaction } from "../store/store.ts";
import { MINUTE_MS } from "../system/durations.ts";
import { signInCounts, type UserReference } from "./model.ts";

/**
 * The most users (including invited ones), keys and projects that an account may have, for each kind. The storage
 * bound does not apply to them, because people need them to free storage.
 */
export const MAX_OF_ACCOUNT = 10_000;

/** The most signed-in devices, and the most browser sessions, of an account. */
export const MAX_SIGN_INS = 1000;
/** How long a count is cached and incremented. Sign-ins that expire in that time are still counted. */
const COUNTED_MS = MINUTE_MS;
/** Sign-ins read per batch when looking for one of a user. */
const PAGE = 50;

/** Throws `Problem` `conflict` if an account has the most documents allowed. `remedy` is a sentence. */
export async function refuseIfFull(
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
 * Counts a new sign-in. If the account is full, returns the sign-in to evict: the oldest of the same user, so that
 * nobody can end the sign-ins of others by signing in repeatedly, or the oldest of the account if the user has none.
 */
export async function countSignIn<T extends { userId: string }>(
  tx: Transaction,
  collection: Collection<T>,
  { accountId, userId }: UserReference,
  now: number,
): Promise<{ id: string; value: T } | undefined> {
  if (!(await isFull(tx, collection, accountId, now))) return undefined;
  const space = accountSpace(accountId);
  // Ids sort by creation time. A user with that many sign-ins usually owns the oldest one.
  const [first] = await tx.list(collection, space, { limit: 1 });
  for (let last = first; last && last.value.userId !== userId; ) {
    const some = await tx.list(collection, space, { after: last.id, limit: PAGE });
    const own = some.find(({ value }) => value.userId === userId);
    if (own) return own;
    last = some.at(-1);
  }
  return first;
}

/** Reports whether an account has the most sign-ins allowed, and counts one more if it has not. */
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

/** Ends a sign-in before it expires and drops the cached count. */
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

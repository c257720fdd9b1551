import { Problem } from "../contract/problem.ts";
import { accountSpace, type Collection, type Transaction } from "../store/store.ts";

/**
 * Of each of these an account may have: users with those that are invited, keys, projects. They are not
 * refused for what else it stores, for they are what people need to mend that.
 */
export const MAX_OF_ACCOUNT = 10_000;

/** Signed-in devices, and browsers, of an account. */
export const MAX_SIGN_INS = 1000;
/** So many are read at a time where somebody is looked for. */
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
  accountId: string,
  userId: string,
): Promise<{ id: string; value: T } | undefined> {
  const space = accountSpace(accountId);
  if ((await tx.ids(collection, space, { limit: MAX_SIGN_INS })).length < MAX_SIGN_INS) return undefined;
  // Ids are ordered by the time of their making; mostly somebody who signs in so often is among the first.
  let first: { id: string; value: T } | undefined;
  for (let after: string | undefined; ; ) {
    const some = await tx.list(collection, space, { limit: PAGE, ...(after !== undefined && { after }) });
    first ??= some[0];
    const own = some.find(({ value }) => value.userId === userId);
    if (own || some.length < PAGE) return own ?? first;
    after = some.at(-1)?.id;
  }
}

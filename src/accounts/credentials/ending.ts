import { allows, type Scope } from "../../contract/caller.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { othersFirst } from "../../system/others-first.ts";
import { type Account, accounts, apiKeys, type EndingMark } from "../model.ts";
import { deleteCredentials } from "./key-secrets.ts";

/**
 * An account with more keys gets a mark that ends them, and they are deleted later, because deleting them in one
 * transaction would take seconds.
 */
const MAX_DELETED_AT_ONCE = 200;
/** Keys read or deleted in one transaction, few enough not to block other requests. */
const SLICE = 100;

/** The members of a key, or of its credential, that determine whether it has ended. */
interface Held {
  id: string;
  userId: string;
  scopes: readonly Scope[];
}

/** Whether a key has been ended by a mark of its account, even if it is not deleted yet. */
export function isEndedByMark({ endedKeys }: Pick<Account, "endedKeys">, key: Held): boolean {
  return endedKeys?.some((ended) => key.id <= ended.upTo && isBeyond(ended, key)) ?? false;
}

/** Ends all keys of a user whose scopes exceed `scopes`, however many there are. */
export async function endKeys(
  tx: Transaction,
  accountId: string,
  userId: string,
  scopes: readonly Scope[],
  now: number,
) {
  const space = accountSpace(accountId);
  const account = await tx.get(accounts, GLOBAL, accountId);
  const few = await tx.list(apiKeys, space, { limit: MAX_DELETED_AT_ONCE + 1 });
  if (account && few.length > MAX_DELETED_AT_ONCE) {
    const [upTo] = (await tx.ids(apiKeys, space, { order: "descending", limit: 1 })) as [string];
    const endedKeys = [...(account.endedKeys ?? []), { userId, scopes: [...scopes], upTo }];
    await tx.put(accounts, GLOBAL, accountId, { ...account, endedKeys });
    return;
  }
  for (const { id, value } of few) {
    if (!isBeyond({ userId, scopes }, value)) continue;
    await tx.delete(apiKeys, space, id);
    await deleteCredentials(tx, accountId, value, now);
  }
}

/** Deletes the ended keys of an account in batches, then removes the marks that were processed. */
export async function deleteEndedKeys(store: Store, accountId: string, now: number): Promise<void> {
  const space = accountSpace(accountId);
  const { endedKeys } = (await store.transact((tx) => tx.get(accounts, GLOBAL, accountId))) ?? {};
  if (!endedKeys) return;
  for (let after: string | undefined; ; ) {
    const slice = await store.transact(async (tx) => {
      const entries = await tx.list(apiKeys, space, { limit: SLICE, ...defined({ after }) });
      for (const { id, value } of entries) {
        if (!isEndedByMark({ endedKeys }, value)) continue;
        await tx.delete(apiKeys, space, id);
        await deleteCredentials(tx, accountId, value, now);
      }
      return entries;
    });
    after = slice.at(-1)?.id;
    if (slice.length < SLICE) break;
    await othersFirst();
  }
  await store.transact(async (tx) => {
    const account = await tx.get(accounts, GLOBAL, accountId);
    if (!account) return;
    const { endedKeys: marks = [], ...rest } = account;
    const left = marks.filter((mark) => !endedKeys.some((done) => isSame(mark, done)));
    await tx.put(accounts, GLOBAL, accountId, { ...rest, ...(left.length > 0 && { endedKeys: left }) });
  });
}

/** Returns a function that deletes an account's ended keys in the background, with one run per account at a time. */
export function createEndedKeysSweep(
  store: Store,
  clock: Pick<Clock, "now">,
): (account: Pick<Account, "id" | "endedKeys">) => void {
  const under = new Set<string>();
  return ({ id, endedKeys }) => {
    if (!endedKeys || under.has(id)) return;
    under.add(id);
    deleteEndedKeys(store, id, clock.now())
      // Requests themselves report an unavailable store. The next request with such a key retries.
      .catch(() => {})
      .finally(() => under.delete(id));
  };
}

/** Whether a key or device is of this user and exceeds these scopes. */
export function isBeyond({ userId, scopes }: Omit<Held, "id">, held: Omit<Held, "id">): boolean {
  return held.userId === userId && !held.scopes.every((scope) => allows(scopes, scope));
}

function isSame(one: EndingMark, other: EndingMark): boolean {
  return (
    one.userId === other.userId && one.upTo === other.upTo && String(one.scopes) === String(other.scopes)
  );
}

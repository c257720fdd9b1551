import { setImmediate } from "node:timers/promises";
import { allows, type Scope } from "../../contract/caller.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { type Account, accounts, apiKeys, type EndedKeys } from "../model.ts";
import { deleteCredentials } from "./key-secrets.ts";

/** In an account with more keys they end by a mark, and are deleted later: to delete them all at once takes seconds. */
const FEW = 200;
/** Deleted in one transaction: little enough to hold nobody up. */
const SLICE = 100;

/** What of a key decides whether it is over, and of a credential that stands for one. */
interface Held {
  id: string;
  userId: string;
  scopes: readonly Scope[];
}

/** Whether a key has ended, though it may not be deleted yet. */
export function isOver({ endedKeys }: Pick<Account, "endedKeys">, key: Held): boolean {
  return endedKeys?.some((ended) => key.id <= ended.upTo && isBeyond(ended, key)) ?? false;
}

/** Ends the keys of a user that may do more than these scopes do, however many there are. */
export async function endKeys(
  tx: Transaction,
  accountId: string,
  userId: string,
  scopes: readonly Scope[],
  now: number,
) {
  const space = accountSpace(accountId);
  const account = await tx.get(accounts, GLOBAL, accountId);
  const few = await tx.list(apiKeys, space, { limit: FEW + 1 });
  if (account && few.length > FEW) {
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

/** Deletes the keys of an account that are over, some at a time. */
export async function deleteEndedKeys(store: Store, accountId: string, now: number): Promise<void> {
  const space = accountSpace(accountId);
  const { endedKeys } = (await store.transact((tx) => tx.get(accounts, GLOBAL, accountId))) ?? {};
  if (!endedKeys) return;
  for (let after: string | undefined; ; ) {
    const slice = await store.transact(async (tx) => {
      const entries = await tx.list(apiKeys, space, { limit: SLICE, ...defined({ after }) });
      for (const { id, value } of entries) {
        if (!isOver({ endedKeys }, value)) continue;
        await tx.delete(apiKeys, space, id);
        await deleteCredentials(tx, accountId, value, now);
      }
      return entries;
    });
    after = slice.at(-1)?.id;
    if (slice.length < SLICE) break;
    await setImmediate();
  }
  await store.transact(async (tx) => {
    const account = await tx.get(accounts, GLOBAL, accountId);
    if (!account) return;
    const { endedKeys: marks = [], ...rest } = account;
    const left = marks.filter((mark) => !endedKeys.some((done) => isSame(mark, done)));
    await tx.put(accounts, GLOBAL, accountId, { ...rest, ...(left.length > 0 && { endedKeys: left }) });
  });
}

/** Deletes them behind whoever meets them: at once, and for one account once at a time. */
export function createEndedKeysSweep(
  store: Store,
  clock: Pick<Clock, "now">,
): (account: Pick<Account, "id" | "endedKeys">) => void {
  const under = new Set<string>();
  return ({ id, endedKeys }) => {
    if (!endedKeys || under.has(id)) return;
    under.add(id);
    deleteEndedKeys(store, id, clock.now())
      // A store that is away shows in the requests themselves; the next one tries again.
      .catch(() => {})
      .finally(() => under.delete(id));
  };
}

function isBeyond({ userId, scopes }: Omit<Held, "id">, key: Omit<Held, "id">): boolean {
  return key.userId === userId && !key.scopes.every((scope) => allows(scopes, scope));
}

function isSame(one: EndedKeys, other: EndedKeys): boolean {
  return (
    one.userId === other.userId && one.upTo === other.upTo && String(one.scopes) === String(other.scopes)
  );
}

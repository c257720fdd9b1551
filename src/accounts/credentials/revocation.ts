import type { Scope } from "../../contract/caller.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import { endSignIn } from "../account-limits.ts";
import { browserSessions, credentials, tokenFamilies, type UserReference, users } from "../model.ts";
import { endKeys, isBeyond } from "./ending.ts";

/** Ends the keys, devices and browser sessions of a user who stays, and approvals that have not yielded tokens yet. */
export async function endAllSoFar(
  tx: Transaction,
  { accountId, userId }: UserReference,
  now: number,
): Promise<void> {
  await endAll(tx, accountId, userId, now);
  const user = await tx.get(users, accountSpace(accountId), userId);
  if (user) await tx.put(users, accountSpace(accountId), userId, { ...user, allEndedAt: now });
}

/** Ends the keys, devices and browser sessions of a user. */
export async function endAll(tx: Transaction, accountId: string, userId: string, now: number): Promise<void> {
  await endBeyond(tx, accountId, userId, [], now);
  await endSessions(tx, accountId, userId);
}

/** Ends the keys and devices of a user whose scopes exceed `scopes`. */
export async function endBeyond(
  tx: Transaction,
  accountId: string,
  userId: string,
  scopes: readonly Scope[],
  now: number,
): Promise<void> {
  const space = accountSpace(accountId);
  await endKeys(tx, accountId, userId, scopes, now);
  // Tokens end with their family.
  for (const { id, value } of await tx.list(tokenFamilies, space)) {
    if (isBeyond({ userId, scopes }, value)) await endSignIn(tx, tokenFamilies, accountId, id);
  }
}

/** Ends the browser sessions of a user, except `kept`. */
export async function endSessions(
  tx: Transaction,
  accountId: string,
  userId: string,
  kept?: string,
): Promise<void> {
  const space = accountSpace(accountId);
  for (const { id, value } of await tx.list(browserSessions, space)) {
    if (value.userId !== userId || id === kept) continue;
    await endSignIn(tx, browserSessions, accountId, id);
    await tx.delete(credentials, GLOBAL, value.secretHash);
  }
}

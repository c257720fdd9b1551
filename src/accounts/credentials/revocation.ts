import { allows, type Scope } from "../../contract/caller.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import { browserSessions, credentials, tokenFamilies, type UserReference, users } from "../model.ts";
import { endSignIn } from "../most.ts";
import { endKeys } from "./ending.ts";

/** Ends what acts for a user who goes on: keys, devices, browser sessions, and what was approved and not fetched yet. */
export async function endAllSoFar(
  tx: Transaction,
  { accountId, userId }: UserReference,
  now: number,
): Promise<void> {
  await endAll(tx, accountId, userId, now);
  const user = await tx.get(users, accountSpace(accountId), userId);
  if (user) await tx.put(users, accountSpace(accountId), userId, { ...user, allEndedAt: now });
}

/** Ends what acts for a user: keys, devices and browser sessions. */
export async function endAll(tx: Transaction, accountId: string, userId: string, now: number): Promise<void> {
  await endBeyond(tx, accountId, userId, [], now);
  await endSessions(tx, accountId, userId);
}

/** Ends the keys and devices of a user that may do more than these scopes do. */
export async function endBeyond(
  tx: Transaction,
  accountId: string,
  userId: string,
  scopes: readonly Scope[],
  now: number,
): Promise<void> {
  const space = accountSpace(accountId);
  const mayMore = (held: { userId: string; scopes: readonly Scope[] }) =>
    held.userId === userId && !held.scopes.every((scope) => allows(scopes, scope));
  await endKeys(tx, accountId, userId, scopes, now);
  // Tokens live as long as their family does.
  for (const { id, value } of await tx.list(tokenFamilies, space)) {
    if (mayMore(value)) await endSignIn(tx, tokenFamilies, accountId, id);
  }
}

/** Ends the browser sessions of a user, all but `kept`. */
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

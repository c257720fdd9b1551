import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import { apiKeys, browserSessions, credentials, tokenFamilies } from "../model.ts";

/** Ends what acts for a user: keys, devices and browser sessions. */
export async function endAll(tx: Transaction, accountId: string, userId: string): Promise<void> {
  const space = accountSpace(accountId);
  for (const { id, value } of await tx.list(apiKeys, space)) {
    if (value.userId !== userId) continue;
    await tx.delete(apiKeys, space, id);
    await tx.delete(credentials, GLOBAL, value.secretHash);
  }
  // Tokens live as long as their family does.
  for (const { id, value } of await tx.list(tokenFamilies, space)) {
    if (value.userId === userId) await tx.delete(tokenFamilies, space, id);
  }
  await endSessions(tx, accountId, userId);
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
    await tx.delete(browserSessions, space, id);
    await tx.delete(credentials, GLOBAL, value.secretHash);
  }
}

import { accountSpace, type Transaction } from "../../store/store.ts";
import { type TokenFamily, tokenFamilies } from "../model.ts";
import { isForgotten } from "./registered-clients.ts";
import { isRemoved } from "./removed-clients.ts";

/** Finds a family whose tokens are valid: it has not ended, nor has the client that it was issued to. */
export async function openFamily(
  tx: Transaction,
  accountId: string,
  familyId: string,
): Promise<TokenFamily | undefined> {
  const family = await tx.get(tokenFamilies, accountSpace(accountId), familyId);
  return family && (await isOpen(tx, family)) ? family : undefined;
}

/** Whether a family's client still is what it was when somebody signed in to it: registered, or in the plans file. */
export async function isOpen(
  tx: Transaction,
  family: Pick<TokenFamily, "clientId" | "createdAt">,
): Promise<boolean> {
  return !(await isForgotten(tx, family.clientId)) && !(await isRemoved(tx, family));
}

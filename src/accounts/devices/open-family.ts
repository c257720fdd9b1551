import { accountSpace, type Transaction } from "../../store/store.ts";
import { type TokenFamily, tokenFamilies } from "../model.ts";
import { isForgotten } from "./registered-clients.ts";

/** Finds a family whose tokens are valid: it has not ended, nor has the client that it was issued to been revoked. */
export async function openFamily(
  tx: Transaction,
  accountId: string,
  familyId: string,
): Promise<TokenFamily | undefined> {
  const family = await tx.get(tokenFamilies, accountSpace(accountId), familyId);
  return family && !(await isForgotten(tx, family.clientId)) ? family : undefined;
}

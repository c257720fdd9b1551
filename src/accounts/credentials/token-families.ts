import type { Scope } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, type Store } from "../../store/store.ts";
import { tokenFamilies } from "../model.ts";

/** A device that is signed in, for its owner to recognise. Times are milliseconds since the epoch. */
export interface SignedInDevice {
  id: string;
  userId: string;
  clientId: string;
  /** What a client calls itself that the operator has not registered. */
  clientName?: string;
  scopes: Scope[];
  address: string;
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}

export interface TokenFamilies {
  /** The devices signed in to an account, newest first; of one user where given. */
  list(accountId: string, userId?: string): Promise<SignedInDevice[]>;
  /** Ends a device's tokens at once; of this user's devices where given. `Problem` `not_found`. */
  revoke(accountId: string, familyId: string, userId?: string): Promise<void>;
}

export function createTokenFamilies({ store }: { store: Store }): TokenFamilies {
  return {
    async list(accountId, userId) {
      const all = await store.transact((tx) =>
        tx.list(tokenFamilies, accountSpace(accountId), { order: "descending" }),
      );
      return all
        .map(({ value: { generation: _, firstUses: __, ...device } }) => device)
        .filter((device) => userId === undefined || device.userId === userId);
    },
    revoke: (accountId, familyId, userId) =>
      store.transact(async (tx) => {
        const space = accountSpace(accountId);
        const family = await tx.get(tokenFamilies, space, familyId);
        if (!family || (userId !== undefined && family.userId !== userId)) {
          throw new Problem("not_found", `There is no signed-in device ${familyId} in this account.`);
        }
        await tx.delete(tokenFamilies, space, familyId);
      }),
  };
}

import type { AuditTrail } from "../../audit/trail.ts";
import type { Scope } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, type Store } from "../../store/store.ts";
import { endSignIn } from "../account-limits.ts";
import { tokenFamilies } from "../model.ts";
import type { Manager } from "../users/managers.ts";

/** A device that is signed in, for its owner to recognise. Times are milliseconds since the epoch. */
export interface SignedInDevice {
  id: string;
  userId: string;
  clientId: string;
  /** The self-chosen name of a client that the operator has not registered. */
  clientName?: string;
  scopes: Scope[];
  address: string;
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}

export interface SignedInDevices {
  /** Lists the devices signed in to an account, or those of one user, newest first. */
  list(accountId: string, userId?: string): Promise<SignedInDevice[]>;
  /** Ends a device's tokens at once: only the caller's own device unless `ofAnybody`. `Problem` `not_found`. */
  revoke(by: Manager, familyId: string, ofAnybody?: boolean): Promise<void>;
}

export function createSignedInDevices({
  store,
  audit,
}: {
  store: Store;
  audit: AuditTrail;
}): SignedInDevices {
  return {
    async list(accountId, userId) {
      const all = await store.transact((tx) =>
        tx.list(tokenFamilies, accountSpace(accountId), { order: "descending" }),
      );
      return all
        .map(({ value: { generation: _, firstUses: __, ...device } }) => device)
        .filter((device) => userId === undefined || device.userId === userId);
    },
    revoke: (by, familyId, ofAnybody = false) =>
      audit.transact(by, async (tx, note) => {
        const space = accountSpace(by.accountId);
        const family = await tx.get(tokenFamilies, space, familyId);
        if (!family || !(ofAnybody || family.userId === by.userId)) {
          throw new Problem("not_found", `There is no signed-in device ${familyId} in this account.`);
        }
        await endSignIn(tx, tokenFamilies, by.accountId, familyId);
        note({
          action: "device.revoked",
          target: { kind: "device", id: familyId, name: family.clientName ?? family.clientId },
          before: { userId: family.userId, scopes: family.scopes, deviceAddress: family.address },
        });
      }),
  };
}

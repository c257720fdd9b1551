import type { AuditTrail } from "../../audit/trail.ts";
import type { Scope } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, type Store } from "../../store/store.ts";
import { endSignIn } from "../account-limits.ts";
import { type TokenFamily, tokenFamilies, users } from "../model.ts";
import type { Manager } from "../users/managers.ts";
import { isOpen } from "./open-family.ts";

/** A device that is signed in, for its owner to recognise. Times are milliseconds since the epoch. */
export interface SignedInDevice {
  id: string;
  userId: string;
  /** The user's e-mail address. */
  email: string;
  clientId: string;
  /** The self-chosen name of a client that the operator has not registered. */
  clientName?: string;
  scopes: Scope[];
  /** The only resource that its tokens are valid for, by its URI (RFC 8707). If absent, the whole server. */
  audience?: string;
  address: string;
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}

export interface SignedInDevices {
  /** Lists the devices signed in to an account, or those of one user, newest first: `MAX_SIGN_INS` at most. */
  list(accountId: string, userId?: string): Promise<SignedInDevice[]>;
  /** Ends a device's tokens at once: only the caller's own device unless `ofAnybody`. `Problem` `not_found`. */
  revoke(by: Manager, deviceId: string, ofAnybody?: boolean): Promise<void>;
}

export function createSignedInDevices({
  store,
  audit,
}: {
  store: Store;
  audit: AuditTrail;
}): SignedInDevices {
  return {
    list: (accountId, userId) =>
      store.transact(async (tx) => {
        const space = accountSpace(accountId);
        const all = await tx.list(tokenFamilies, space, { order: "descending" });
        const theirs = all.filter(({ value }) => userId === undefined || value.userId === userId);
        const areOpen = await Promise.all(theirs.map(({ value }) => isOpen(tx, value)));
        const asked = theirs.filter((_, place) => areOpen[place]);
        const owners = [...new Set(asked.map(({ value }) => value.userId))];
        const found = await Promise.all(owners.map((id) => tx.get(users, space, id)));
        const emails = new Map(found.map((user) => [user?.id, user?.email]));
        return asked.map(({ value }) => shown(value, emails.get(value.userId)));
      }),
    revoke: (by, deviceId, ofAnybody = false) =>
      audit.transact(by, async (tx, note) => {
        const space = accountSpace(by.accountId);
        const family = await tx.get(tokenFamilies, space, deviceId);
        if (!family || !(ofAnybody || family.userId === by.userId)) {
          throw new Problem("not_found", `There is no signed-in device ${deviceId} in this account.`);
        }
        await endSignIn(tx, tokenFamilies, by.accountId, deviceId);
        note({
          action: "device.revoked",
          target: { kind: "device", id: deviceId, name: family.clientName ?? family.clientId },
          before: { userId: family.userId, scopes: family.scopes, deviceAddress: family.address },
        });
      }),
  };
}

/** Returns a device without what its tokens are checked by. */
function shown(
  { generation: _, firstUses: __, identity: ___, dpopKey: ____, confidential: _____, ...device }: TokenFamily,
  email: string = device.userId,
): SignedInDevice {
  return { ...device, email };
}

import { setImmediate } from "node:timers/promises";
import { accountSpace, collection, GLOBAL, type Store, type Transaction } from "../../store/store.ts";

/** A key that a secret stands for no longer: so that its people hear of who still uses it. */
export interface EndedKey {
  accountId: string;
  keyId: string;
  name: string;
  reason: "revoked" | "suspended" | "expired" | "replaced";
}

/** In the account's space, by the hash of the secret; of what may expire it is there before. */
export const endedKeys = collection<Omit<EndedKey, "accountId">>("ended_keys");
/** In GLOBAL, by the hash of the secret: whose it was. */
const endedKeyOwners = collection<Pick<EndedKey, "accountId">>("ended_key_owners");

export const endedKeysCollections = [endedKeys, endedKeyOwners] as const;

/** How long it is known whose an ended secret was. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** Deleted in one transaction: little enough to hold nobody up. */
const SLICE = 100;

/** Keeps whose a secret is that ends, or has ended, at a time. */
export async function rememberEnded(
  tx: Transaction,
  secretHash: string,
  { accountId, ...key }: EndedKey,
  endsAt: number,
): Promise<void> {
  const lifetime = { expiresAt: endsAt + KEPT_MS };
  await tx.put(endedKeys, accountSpace(accountId), secretHash, key, lifetime);
  await tx.put(endedKeyOwners, GLOBAL, secretHash, { accountId }, lifetime);
}

export async function findEnded(tx: Transaction, secretHash: string): Promise<EndedKey | undefined> {
  const owner = await tx.get(endedKeyOwners, GLOBAL, secretHash);
  const key = owner && (await tx.get(endedKeys, accountSpace(owner.accountId), secretHash));
  return key && { ...owner, ...key };
}

/** Forgets the ended keys of an account that is deleted, some at a time. */
export async function forgetEndedKeys(store: Pick<Store, "transact">, accountId: string): Promise<void> {
  for (let left = true; left; await setImmediate()) {
    left = await store.transact(async (tx) => {
      const hashes = await tx.ids(endedKeys, accountSpace(accountId), { limit: SLICE });
      for (const hash of hashes) {
        await tx.delete(endedKeys, accountSpace(accountId), hash);
        await tx.delete(endedKeyOwners, GLOBAL, hash);
      }
      return hashes.length === SLICE;
    });
  }
}

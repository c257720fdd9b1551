import { accountSpace, collection, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import { DAY_MS } from "../../system/durations.ts";
import { othersFirst } from "../../system/others-first.ts";

/** A key whose secret has ended, remembered so that its account can be alerted when the secret is still used. */
export interface EndedKey {
  accountId: string;
  keyId: string;
  name: string;
  reason: "revoked" | "suspended" | "expired" | "replaced";
}

/** In the account's space, by the hash of the secret. For secrets that expire, written in advance. */
export const endedKeys = collection<Omit<EndedKey, "accountId">>("ended_keys");
/** In GLOBAL, by the hash of the secret: the account that it belonged to. */
const endedKeyOwners = collection<Pick<EndedKey, "accountId">>("ended_key_owners");

export const endedKeysCollections = [endedKeys, endedKeyOwners] as const;

/** How long an ended secret is remembered. */
const KEPT_MS = 30 * DAY_MS;
/** Secrets deleted in one transaction, few enough not to block other requests. */
const SLICE = 100;

/** Remembers the key of a secret that ends, or has ended, at `endsAt`. */
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

/** Forgets the ended keys of an account that is being deleted, in batches. */
export async function forgetEndedKeys(store: Pick<Store, "transact">, accountId: string): Promise<void> {
  for (let left = true; left; await othersFirst()) {
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

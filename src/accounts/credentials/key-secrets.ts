import { GLOBAL, type Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import { type ApiKey, type Credential, credentials } from "../model.ts";
import { type EndedKey, rememberEnded } from "./ended-keys.ts";
import { hashSecret, newSecret } from "./secrets.ts";

/** Characters of a secret that are shown: its kind and about 40 of its 256 bits. */
const SHOWN_CHARACTERS = 12;

/** Makes a new secret for a key, and the members that the key stores for it. */
export function newKeySecret(random: Pick<Random, "bytes">) {
  const secret = newSecret("api_key", random);
  return { secret, kept: { prefix: secret.slice(0, SHOWN_CHARACTERS), secretHash: hashSecret(secret) } };
}

/** Updates the credentials of a key's secrets to match the key; deletes them while the key is suspended. */
export async function putCredentials(tx: Transaction, accountId: string, key: ApiKey): Promise<void> {
  if (key.suspendedAt !== undefined) {
    return deleteCredentials(tx, accountId, key, key.suspendedAt, "suspended");
  }
  const { id, userId, scopes, projectId, tools, addresses, expiresAt, previous } = key;
  const put = (secretHash: string, issuedAt: number, ends: number | undefined) => {
    const credential: Credential = {
      kind: "api_key",
      id,
      accountId,
      userId,
      scopes,
      issuedAt,
      ...defined({ projectId }),
      ...(tools && { tools }),
      ...(addresses && { addresses }),
      ...defined({ expiresAt: ends }),
    };
    return tx.put(credentials, GLOBAL, secretHash, credential, ends === undefined ? {} : { expiresAt: ends });
  };
  await put(key.secretHash, key.rotatedAt ?? key.createdAt, expiresAt);
  if (expiresAt !== undefined) {
    await rememberEnded(tx, key.secretHash, endedKeyOf(accountId, key, "expired"), expiresAt);
  }
  if (!previous) return;
  const ends = Math.min(previous.endsAt, expiresAt ?? Number.POSITIVE_INFINITY);
  await put(previous.secretHash, previous.issuedAt, ends);
  await rememberEnded(tx, previous.secretHash, endedKeyOf(accountId, key, "replaced"), ends);
}

/** Ends all secrets of a key. */
export async function deleteCredentials(
  tx: Transaction,
  accountId: string,
  key: ApiKey,
  now: number,
  reason: EndedKey["reason"] = "revoked",
): Promise<void> {
  const ended = endedKeyOf(accountId, key, reason);
  await endSecret(tx, key.secretHash, ended, now);
  if (key.previous) await endSecret(tx, key.previous.secretHash, ended, now);
}

/** Ends one secret of a key, and remembers for a while which key it belonged to. */
export async function endSecret(
  tx: Transaction,
  secretHash: string,
  ended: EndedKey,
  now: number,
): Promise<void> {
  await tx.delete(credentials, GLOBAL, secretHash);
  await rememberEnded(tx, secretHash, ended, now);
}

/** Returns what is remembered of a key whose secret ends. */
export function endedKeyOf(
  accountId: string,
  { id: keyId, name }: ApiKey,
  reason: EndedKey["reason"],
): EndedKey {
  return { accountId, keyId, name, reason };
}

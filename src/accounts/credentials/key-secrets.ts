import { GLOBAL, type Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import { type ApiKey, type Credential, credentials } from "../model.ts";
import { type EndedKey, rememberEnded } from "./ended-keys.ts";
import { hashSecret, newSecret } from "./secrets.ts";

/** What is shown of a secret: its kind and some 40 of its 256 bits. */
const SHOWN_CHARACTERS = 12;

/** A new secret of a key, and what the key keeps of it. */
export function newKeySecret(random: Pick<Random, "bytes">) {
  const secret = newSecret("api_key", random);
  return { secret, kept: { prefix: secret.slice(0, SHOWN_CHARACTERS), secretHash: hashSecret(secret) } };
}

/** Has the secrets of a key stand for what the key now is: for nothing while it is suspended. */
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
  if (expiresAt !== undefined) await remember(tx, accountId, key, key.secretHash, "expired", expiresAt);
  if (!previous) return;
  const ends = Math.min(previous.endsAt, expiresAt ?? Number.POSITIVE_INFINITY);
  await put(previous.secretHash, previous.issuedAt, ends);
  await remember(tx, accountId, key, previous.secretHash, "replaced", ends);
}

/** Ends the secrets of a key. */
export async function deleteCredentials(
  tx: Transaction,
  accountId: string,
  key: ApiKey,
  now: number,
  reason: EndedKey["reason"] = "revoked",
): Promise<void> {
  await endSecret(tx, accountId, key, key.secretHash, reason, now);
  if (key.previous) await endSecret(tx, accountId, key, key.previous.secretHash, reason, now);
}

/** Ends one secret of a key, and keeps for a while whose it was. */
export async function endSecret(
  tx: Transaction,
  accountId: string,
  key: ApiKey,
  secretHash: string,
  reason: EndedKey["reason"],
  now: number,
): Promise<void> {
  await tx.delete(credentials, GLOBAL, secretHash);
  await remember(tx, accountId, key, secretHash, reason, now);
}

function remember(
  tx: Transaction,
  accountId: string,
  { id: keyId, name }: ApiKey,
  secretHash: string,
  reason: EndedKey["reason"],
  endsAt: number,
): Promise<void> {
  return rememberEnded(tx, secretHash, { accountId, keyId, name, reason }, endsAt);
}

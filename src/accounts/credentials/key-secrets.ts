import { GLOBAL, type Transaction } from "../../store/store.ts";
import type { Random } from "../../system/random.ts";
import { type ApiKey, type Credential, credentials } from "../model.ts";
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
  if (key.suspendedAt !== undefined) return deleteCredentials(tx, key);
  const { id, userId, scopes, projectId, tools, addresses, expiresAt, previous } = key;
  const put = (secretHash: string, issuedAt: number, ends: number | undefined) => {
    const credential: Credential = {
      kind: "api_key",
      id,
      accountId,
      userId,
      scopes,
      issuedAt,
      ...(projectId !== undefined && { projectId }),
      ...(tools && { tools }),
      ...(addresses && { addresses }),
      ...(ends !== undefined && { expiresAt: ends }),
    };
    return tx.put(credentials, GLOBAL, secretHash, credential, ends === undefined ? {} : { expiresAt: ends });
  };
  await put(key.secretHash, key.rotatedAt ?? key.createdAt, expiresAt);
  if (!previous) return;
  const ends = Math.min(previous.endsAt, expiresAt ?? Number.POSITIVE_INFINITY);
  await put(previous.secretHash, previous.issuedAt, ends);
}

/** Ends the secrets of a key. */
export async function deleteCredentials(tx: Transaction, key: ApiKey): Promise<void> {
  await tx.delete(credentials, GLOBAL, key.secretHash);
  if (key.previous) await tx.delete(credentials, GLOBAL, key.previous.secretHash);
}

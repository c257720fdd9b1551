import { createHmac } from "node:crypto";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import { type PseudonymKey, pseudonymKeys } from "./documents.ts";

const KEY = "key";
/** 22 characters have 132 bits, enough to rule out collisions. */
const LENGTH = 22;

export interface Who {
  accountId: string;
  projectId: string;
}

/** The names of a project and its account in all learned data. */
export interface Pseudonyms {
  project: string;
  account: string;
}

/** Returns the store's key of 32 random bytes, or undefined before the first participant creates it. */
export async function findKey(tx: Transaction): Promise<PseudonymKey | undefined> {
  return tx.get(pseudonymKeys, GLOBAL, KEY);
}

export async function keepKey(tx: Transaction, chance: Buffer): Promise<PseudonymKey> {
  const key = { key: chance.toString("base64url") };
  await tx.insert(pseudonymKeys, GLOBAL, KEY, key);
  return key;
}

/**
 * Returns a project's pseudonyms, which stay the same for the life of the store. Without the key, nobody can
 * trace them to a project, or find it by trying names.
 */
export function pseudonymsOf({ key }: PseudonymKey, { accountId, projectId }: Who): Pseudonyms {
  const secret = Buffer.from(key, "base64url");
  const named = (name: string[]) =>
    createHmac("sha256", secret).update(JSON.stringify(name)).digest("base64url").slice(0, LENGTH);
  return { project: named([accountId, projectId]), account: named([accountId]) };
}

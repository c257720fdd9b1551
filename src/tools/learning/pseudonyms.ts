import { createHmac } from "node:crypto";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import { type PseudonymKey, pseudonymKeys } from "./documents.ts";

const KEY = "key";
/** 132 bits: enough that no two projects ever share one. */
const LENGTH = 22;

export interface Who {
  accountId: string;
  projectId: string;
}

/** What a project and its account are called in everything that is kept for learning. */
export interface Pseudonyms {
  project: string;
  account: string;
}

/** None before a store has a key, which its first participant brings: 32 bytes of chance. */
export async function findKey(tx: Transaction): Promise<PseudonymKey | undefined> {
  return tx.get(pseudonymKeys, GLOBAL, KEY);
}

export async function keepKey(tx: Transaction, chance: Buffer): Promise<PseudonymKey> {
  const key = { key: chance.toString("base64url") };
  await tx.insert(pseudonymKeys, GLOBAL, KEY, key);
  return key;
}

/**
 * The same project has the same pseudonyms as long as the store lives; without the key nobody can tell
 * which project one belongs to, or try names until one fits.
 */
export function pseudonymsOf({ key }: PseudonymKey, { accountId, projectId }: Who): Pseudonyms {
  const secret = Buffer.from(key, "base64url");
  const named = (name: string[]) =>
    createHmac("sha256", secret).update(JSON.stringify(name)).digest("base64url").slice(0, LENGTH);
  return { project: named([accountId, projectId]), account: named([accountId]) };
}

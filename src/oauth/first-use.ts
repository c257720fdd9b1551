import { hash } from "node:crypto";
import { Conflict, collection, GLOBAL, type Store } from "../store/store.ts";

/** In GLOBAL, by a hash of what may be used once: who made it and what it is called. */
export const usedOnce = collection<Record<string, never>>("used_once");

/**
 * Whether this is the first use of `id` of `maker` until `expiresAt` (milliseconds since the epoch), on any
 * instance. What it remembers is bounded by how often its asker may ask until then.
 */
export type IsFirstUse = (maker: string, id: string, expiresAt: number) => Promise<boolean>;

export function createFirstUses({ store }: { store: Store }): IsFirstUse {
  return async (maker, id, expiresAt) => {
    const key = hash("sha256", JSON.stringify([maker, id]), "base64url");
    try {
      await store.transact((tx) => tx.insert(usedOnce, GLOBAL, key, {}, { expiresAt }));
      return true;
    } catch (error) {
      if (error instanceof Conflict) return false;
      throw error;
    }
  };
}

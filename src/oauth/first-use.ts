import { hash } from "node:crypto";
import { Conflict, collection, GLOBAL, type Store } from "../store/store.ts";

/** In GLOBAL, by the hash of the maker and the id of something that may be used once. */
export const usedOnce = collection<Record<string, never>>("used_once");

/**
 * Records a use of `id` of `maker` until `expiresAt` (milliseconds since the epoch) and reports whether it is the
 * first, across all servers on the store. The rate limits of requesters bound the number of records.
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

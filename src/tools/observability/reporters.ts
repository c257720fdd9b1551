import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Random } from "../../system/random.ts";
import { reporterSeeds, reporters, SEED } from "./documents.ts";

/** The number and key of a DSN, by which errors are reported. */
export interface ReportingKey {
  /** Digits only, as Sentry's SDKs require. */
  number: string;
  key: string;
}

export interface Reporters {
  /** Returns the project's key, which is made by the first call and stays the same. */
  keyOf(accountId: string, projectId: string): Promise<ReportingKey>;
  /** Returns the project of a key, or undefined if number and key do not belong together. */
  find(given: ReportingKey): Promise<{ accountId: string; projectId: string } | undefined>;
}

/**
 * Creates and finds the keys that client programs report errors with. They are public, since every copy of a
 * program holds one, and they are no credentials of the API. Numbers and keys are derived from a seed in the
 * store, so that only a hash of each key is stored.
 */
export function createReporters({ store, random }: { store: Store; random: Random }): Reporters {
  return {
    async keyOf(accountId, projectId) {
      const fresh = random.bytes(32).toString("base64url");
      return store.transact(async (tx) => {
        const found = await tx.get(reporterSeeds, GLOBAL, SEED);
        const seed = found?.seed ?? fresh;
        if (!found) await tx.put(reporterSeeds, GLOBAL, SEED, { seed });
        const key = derived(seed, "key", accountId, projectId).toString("hex").slice(0, 32);
        const { number, isKnown } = await numberOf(tx, seed, { accountId, projectId });
        if (!isKnown) await tx.put(reporters, GLOBAL, number, { accountId, projectId, keyHash: hashed(key) });
        return { number, key };
      });
    },

    async find({ number, key }) {
      const reporter = await store.transact((tx) => tx.get(reporters, GLOBAL, number));
      const given = Buffer.from(hashed(key));
      if (!reporter || !timingSafeEqual(given, Buffer.from(reporter.keyHash))) return undefined;
      return { accountId: reporter.accountId, projectId: reporter.projectId };
    },
  };
}

/** Deletes what is known of a project's key, as the project is deleted: nothing is reported under its DSN any more. */
export async function forgetReporter(
  tx: Transaction,
  project: { accountId: string; projectId: string },
): Promise<void> {
  const found = await tx.get(reporterSeeds, GLOBAL, SEED);
  if (!found) return;
  const { number, isKnown } = await numberOf(tx, found.seed, project);
  if (isKnown) await tx.delete(reporters, GLOBAL, number);
}

/** Returns a project's number: the first of those derived for it that no other project has. */
async function numberOf(
  tx: Transaction,
  seed: string,
  { accountId, projectId }: { accountId: string; projectId: string },
): Promise<{ number: string; isKnown: boolean }> {
  for (let attempt = 0; ; attempt++) {
    const bits = derived(seed, "number", accountId, projectId, String(attempt));
    const number = String(bits.readUIntBE(0, 6));
    const holder = await tx.get(reporters, GLOBAL, number);
    if (!holder) return { number, isKnown: false };
    if (holder.accountId === accountId && holder.projectId === projectId) return { number, isKnown: true };
  }
}

/** Returns `http://<key>@host:port/<number>`, with the path of the base URL, if any, before the number. */
export function dsnOf({ number, key }: ReportingKey, baseUrl: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${key}@${host}${pathname.replace(/\/+$/, "")}/${number}`;
}

function derived(seed: string, ...what: string[]): Buffer {
  return createHmac("sha256", seed).update(JSON.stringify(what)).digest();
}

function hashed(key: string): string {
  return hash("sha256", key, "base64url");
}

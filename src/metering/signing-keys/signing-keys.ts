import { createPrivateKey, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { Actor } from "../../audit/model.ts";
import { type AuditTrail, SERVER } from "../../audit/trail.ts";
import { collection, GLOBAL, type Store, StoreUnavailable } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../system/durations.ts";

interface SigningKey {
  /** Its thumbprint (RFC 7638). */
  kid: string;
  publicKey: JWK;
  /** Deleted when another key takes over. */
  privateKey?: JWK;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** In GLOBAL: the current signing key as `current`, and replaced ones by `kid` until they expire. */
export const signingKeys = collection<SigningKey>("signing_keys", { cached: true });
const CURRENT = "current";

const ALGORITHM = "EdDSA";
const signAside = promisify(sign);
const ROTATE_AFTER_MS = 90 * DAY_MS;

/** A key that was just replaced may still be signing. */
const SIGNING_MS = MINUTE_MS;

/** A key by its public parts. `createdAt` is in milliseconds since the epoch. */
export interface PublishedKey {
  kid: string;
  createdAt: number;
  /** Whether it signs. What others signed can still be verified. */
  isCurrent: boolean;
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

/**
 * Manages the keys that sign what clients verify offline, shared by all instances on a store. A key is replaced after
 * 90 days, and its public part is kept until everything that it signed has expired.
 *
 * @param lifetimeMs how long a signed payload may be in use, of the kind that lives longest
 */
export function createSigningKeys({
  store,
  audit,
  clock,
  lifetimeMs,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  lifetimeMs: number;
}) {
  let imported: { kid: string; key: KeyObject } | undefined;

  async function current(): Promise<SigningKey> {
    const found = await store.transact((tx) => tx.get(signingKeys, GLOBAL, CURRENT));
    if (found && clock.now() < found.createdAt + ROTATE_AFTER_MS) return found;
    return replace(found?.kid).catch((error) => {
      // A key due for replacement is still used until the store can be written.
      if (found && error instanceof StoreUnavailable) return found;
      throw error;
    });
  }

  /** Replaces the key with this `kid`. If another instance was faster, returns its new key. */
  async function replace(kid: string | undefined, by: Actor = SERVER): Promise<SigningKey> {
    const fresh = await generate(clock.now());
    return audit.transact(by, async (tx, note) => {
      const old = await tx.get(signingKeys, GLOBAL, CURRENT);
      if (old && old.kid !== kid) return old;
      if (old) {
        const { privateKey: _, ...retired } = old;
        const expiresAt = fresh.createdAt + lifetimeMs + SIGNING_MS;
        await tx.put(signingKeys, GLOBAL, old.kid, retired, { expiresAt });
      }
      await tx.put(signingKeys, GLOBAL, CURRENT, fresh);
      note({
        action: old ? "signing_key.rotated" : "signing_key.created",
        target: { kind: "signing_key", id: fresh.kid },
        accountId: null,
        ...(old && { before: { kid: old.kid } }),
        after: { kid: fresh.kid },
      });
      return fresh;
    });
  }

  return {
    /**
     * Creates the first key, before the store becomes unwritable. If that fails, it is retried when a key is needed.
     */
    async prepare(): Promise<void> {
      await current().catch((error) => {
        if (!(error instanceof StoreUnavailable)) throw error;
      });
    },

    /**
     * Signs a JSON payload as a compact JWS (RFC 7515 §3.1).
     *
     * @param offThread signs on another thread, which does not block waiting requests but takes longer for a single one
     */
    async sign(payload: object, typ: string, offThread = false): Promise<string> {
      const { kid, privateKey } = await current();
      if (imported?.kid !== kid) {
        imported = { kid, key: createPrivateKey({ key: privateKey as JWK & JsonWebKey, format: "jwk" }) };
      }
      const signed = `${encoded({ alg: ALGORITHM, kid, typ })}.${encoded(payload)}`;
      const { key } = imported;
      // On the path of each request to an upstream. Web Crypto would take twice the processor time.
      const signature = offThread
        ? await signAside(undefined, Buffer.from(signed), key)
        : sign(undefined, Buffer.from(signed), key);
      return `${signed}.${signature.toString("base64url")}`;
    },

    /** Returns the public keys as a JWK Set (RFC 7517 §5): the current one and those recently replaced. */
    async jwks(): Promise<{ keys: JWK[] }> {
      await current();
      const keys = await store.transact((tx) => tx.list(signingKeys, GLOBAL));
      return {
        keys: keys.map(({ value: { kid, publicKey } }) => ({
          ...publicKey,
          kid,
          alg: ALGORITHM,
          use: "sig",
        })),
      };
    },

    /** Lists the current key and those recently replaced, newest first, without secrets. */
    async list(): Promise<PublishedKey[]> {
      await current();
      const keys = await store.transact((tx) => tx.list(signingKeys, GLOBAL));
      return keys
        .map(({ id, value: { kid, createdAt } }) => ({ kid, createdAt, isCurrent: id === CURRENT }))
        .sort((one, other) => other.createdAt - one.createdAt);
    },

    /** Replaces the current key, and returns the new one. */
    async rotate(by?: Actor): Promise<PublishedKey> {
      const { kid, createdAt } = await replace((await current()).kid, by);
      return { kid, createdAt, isCurrent: true };
    },
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

async function generate(now: number): Promise<SigningKey> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicKey = await exportJWK(pair.publicKey);
  return {
    kid: await calculateJwkThumbprint(publicKey),
    publicKey,
    privateKey: await exportJWK(pair.privateKey),
    createdAt: now,
  };
}

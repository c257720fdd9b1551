import { createPrivateKey, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { Actor } from "../../audit/model.ts";
import { type AuditTrail, SERVER } from "../../audit/trail.ts";
import type { IdTokenAlgorithm } from "../../contract/oauth-names.ts";
import { type Collection, collection, GLOBAL, type Store, StoreUnavailable } from "../../store/store.ts";
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

/**
 * In GLOBAL: the keys of an algorithm, the current one as `current`, and replaced ones by `kid` until they expire. Those
 * of RS256 stand apart, since a server of a version before would publish them as keys of EdDSA.
 */
export const signingKeys = collection<SigningKey>("signing_keys", { cached: true });
export const rsaSigningKeys = collection<SigningKey>("rsa_signing_keys", { cached: true });
const CURRENT = "current";

const KEYS: Record<IdTokenAlgorithm, { keys: Collection<SigningKey>; digest: string | undefined }> = {
  EdDSA: { keys: signingKeys, digest: undefined },
  RS256: { keys: rsaSigningKeys, digest: "sha256" },
};

const signAside = promisify(sign);
const ROTATE_AFTER_MS = 90 * DAY_MS;

/** A key that was just replaced may still be signing. */
const SIGNING_MS = MINUTE_MS;

/** A key by its public parts. `createdAt` is in milliseconds since the epoch. */
export interface PublishedKey {
  kid: string;
  algorithm: IdTokenAlgorithm;
  createdAt: number;
  /** Whether it signs. What others signed can still be verified. */
  isCurrent: boolean;
  publicKey: JWK;
}

export interface KeyRing {
  /** Creates the first key if there is none, and replaces one that is due. */
  prepare(): Promise<void>;
  /**
   * Signs a JSON payload as a compact JWS (RFC 7515 §3.1).
   *
   * @param offThread signs on another thread, which does not block waiting requests but takes longer for a single one
   */
  sign(payload: object, typ: string, offThread: boolean): Promise<string>;
  /** Returns the current key, if there is one, and those recently replaced, in no order. */
  published(): Promise<PublishedKey[]>;
  /** Replaces the current key, and returns the new one. */
  rotate(by?: Actor): Promise<PublishedKey>;
}

/** Keeps the keys of one algorithm, shared by all instances on a store. */
export function createKeyRing({
  algorithm,
  store,
  audit,
  clock,
  lifetimeMs,
}: {
  algorithm: IdTokenAlgorithm;
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  /** How long a signed payload may be in use, of the kind that lives longest. */
  lifetimeMs: number;
}): KeyRing {
  const { keys, digest } = KEYS[algorithm];
  let imported: { kid: string; key: KeyObject } | undefined;
  let replacing: Promise<SigningKey> | undefined;

  async function current(): Promise<SigningKey> {
    const found = await store.transact((tx) => tx.get(keys, GLOBAL, CURRENT));
    if (found && clock.now() < found.createdAt + ROTATE_AFTER_MS) return found;
    // Many may ask at once for the first key, and one of RSA takes a tenth of a second to make.
    replacing ??= replace(found?.kid).finally(() => {
      replacing = undefined;
    });
    return replacing.catch((error) => {
      // A key due for replacement is still used until the store can be written.
      if (found && error instanceof StoreUnavailable) return found;
      throw error;
    });
  }

  /** Replaces the key with this `kid`. If another instance was faster, returns its new key. */
  async function replace(kid: string | undefined, by: Actor = SERVER): Promise<SigningKey> {
    const fresh = await generate(algorithm, clock.now());
    return audit.transact(by, async (tx, note) => {
      const old = await tx.get(keys, GLOBAL, CURRENT);
      if (old && old.kid !== kid) return old;
      if (old) {
        const { privateKey: _, ...retired } = old;
        const expiresAt = fresh.createdAt + lifetimeMs + SIGNING_MS;
        await tx.put(keys, GLOBAL, old.kid, retired, { expiresAt });
      }
      await tx.put(keys, GLOBAL, CURRENT, fresh);
      note({
        action: old ? "signing_key.rotated" : "signing_key.created",
        target: { kind: "signing_key", id: fresh.kid },
        accountId: null,
        ...(old && { before: { kid: old.kid } }),
        after: { kid: fresh.kid, alg: algorithm },
      });
      return fresh;
    });
  }

  function publishedOf({ kid, createdAt, publicKey }: SigningKey, isCurrent: boolean): PublishedKey {
    return { kid, algorithm, createdAt, isCurrent, publicKey };
  }

  return {
    async prepare() {
      await current();
    },
    async sign(payload, typ, offThread) {
      const { kid, privateKey } = await current();
      if (imported?.kid !== kid) {
        imported = { kid, key: createPrivateKey({ key: privateKey as JWK & JsonWebKey, format: "jwk" }) };
      }
      const signed = `${encoded({ alg: algorithm, kid, typ })}.${encoded(payload)}`;
      const { key } = imported;
      // On the path of each request to an upstream. Web Crypto would take twice the processor time.
      const signature = offThread
        ? await signAside(digest, Buffer.from(signed), key)
        : sign(digest, Buffer.from(signed), key);
      return `${signed}.${signature.toString("base64url")}`;
    },
    async published() {
      const all = await store.transact((tx) => tx.list(keys, GLOBAL));
      return all.map(({ id, value }) => publishedOf(value, id === CURRENT));
    },
    rotate: async (by) => publishedOf(await replace((await current()).kid, by), true),
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

async function generate(algorithm: IdTokenAlgorithm, now: number): Promise<SigningKey> {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const publicKey = await exportJWK(pair.publicKey);
  return {
    kid: await calculateJwkThumbprint(publicKey),
    publicKey,
    privateKey: await exportJWK(pair.privateKey),
    createdAt: now,
  };
}

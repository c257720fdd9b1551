import type { JWK } from "jose";
import type { Actor } from "../../audit/model.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import type { IdTokenAlgorithm } from "../../contract/oauth-names.ts";
import { type Store, StoreUnavailable } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { createKeyRing, type PublishedKey } from "./key-ring.ts";

export type SigningKeys = ReturnType<typeof createSigningKeys>;

/**
 * Manages the keys that sign what clients verify offline, shared by all instances on a store. Ed25519 signs everything
 * but the ID tokens of clients that verify RS256 alone, for which there is a key of RSA from their first one on. A key is
 * replaced after 90 days, and its public part is kept until everything that it signed has expired.
 *
 * @param lifetimeMs how long a signed payload may be in use, of the kind that lives longest
 * @param needsRsa whether it is known that somebody verifies RS256: the key is then published before it signs
 */
export function createSigningKeys({
  needsRsa = false,
  ...ports
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  lifetimeMs: number;
  needsRsa?: boolean;
}) {
  const rings = {
    EdDSA: createKeyRing({ ...ports, algorithm: "EdDSA" }),
    RS256: createKeyRing({ ...ports, algorithm: "RS256" }),
  };

  async function ensure(): Promise<void> {
    await rings.EdDSA.prepare();
    if (needsRsa) await rings.RS256.prepare();
  }

  async function published(): Promise<PublishedKey[]> {
    await ensure();
    return [...(await rings.EdDSA.published()), ...(await rings.RS256.published())];
  }

  return {
    /**
     * Creates the first keys, before the store becomes unwritable. If that fails, it is retried when a key is needed.
     */
    async prepare(): Promise<void> {
      await ensure().catch((error) => {
        if (!(error instanceof StoreUnavailable)) throw error;
      });
    },

    /** See `KeyRing`. */
    sign: (payload: object, typ: string, offThread = false): Promise<string> =>
      rings.EdDSA.sign(payload, typ, offThread),

    /** Signs with an algorithm of the verifier's choice. RSA takes a millisecond, so it is done on another thread. */
    signAs: (algorithm: IdTokenAlgorithm, payload: object, typ: string): Promise<string> =>
      rings[algorithm].sign(payload, typ, algorithm === "RS256"),

    /** Returns the public keys as a JWK Set (RFC 7517 §5): the current ones and those recently replaced. */
    async jwks(): Promise<{ keys: JWK[] }> {
      const all = await published();
      return {
        keys: all.map(({ kid, algorithm, publicKey }) => ({ ...publicKey, kid, alg: algorithm, use: "sig" })),
      };
    },

    /** Lists the current keys and those recently replaced, newest first, without secrets. */
    async list(): Promise<PublishedKey[]> {
      return (await published()).sort((one, other) => other.createdAt - one.createdAt);
    },

    /** Replaces the current key of each algorithm that has one, and returns the new one of Ed25519. */
    async rotate(by?: Actor): Promise<PublishedKey> {
      const fresh = await rings.EdDSA.rotate(by);
      if ((await rings.RS256.published()).some(({ isCurrent }) => isCurrent)) await rings.RS256.rotate(by);
      return fresh;
    },
  };
}

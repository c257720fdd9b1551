import { hash } from "node:crypto";
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, jwtVerify } from "jose";
import { OAuthError } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { IsFirstUse } from "../first-use.ts";
import { isSignersFault } from "../signers-fault.ts";
import { isUsualKey, UNUSUAL_KEY } from "../usual-key.ts";

/** The algorithms that clients may sign proofs with. */
export const PROOF_ALGORITHMS = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "PS256", "RS256"];

/** A proof that the requester has a private key (RFC 9449 §4). */
export interface Proof {
  /** The key's thumbprint (RFC 7638). */
  key: string;
  /** Uses up the proof. `OAuthError` if it was used before. */
  spend(): Promise<void>;
}

export interface Proofs {
  /**
   * Verifies a proof. Returns undefined if there is none. `OAuthError` `invalid_dpop_proof` if it is not valid for this
   * request.
   *
   * @param proof the `DPoP` header, if there is one.
   * @param accessToken the access token that the proof is sent with, at a resource.
   */
  verify(
    proof: string | string[] | undefined,
    request: { method: string; url: string; accessToken?: string },
  ): Promise<Proof | undefined>;
}

/** How far `iat` may lie from now: a proof is made for one request, but clocks differ. */
const WINDOW_MS = 120_000;

export function createProofs({ clock, isFirstUse }: { clock: Clock; isFirstUse: IsFirstUse }): Proofs {
  return {
    async verify(proof, { method, url, accessToken }) {
      if (proof === undefined) return undefined;
      if (typeof proof !== "string" || proof.includes(",")) throw refusal("there is more than one");
      const { payload, key } = await read(proof);
      const { jti, htm, htu, iat, ath } = payload;
      if (typeof jti !== "string" || jti === "" || typeof iat !== "number")
        throw refusal("jti or iat is missing");
      if (htm !== method) throw refusal(`htm must be ${method}`);
      if (typeof htu !== "string" || !isSame(htu, url)) throw refusal(`htu must be ${url}`);
      if (Math.abs(clock.now() - iat * 1000) > WINDOW_MS) throw refusal("iat is not of the present");
      if (accessToken !== undefined && ath !== hash("sha256", accessToken, "base64url")) {
        throw refusal("ath is not the hash of the access token");
      }
      return {
        key,
        async spend() {
          // Remembered for as long as `iat` is within the window. Later, the check of `iat` refuses the proof.
          const once = await isFirstUse(`dpop/${key}`, jti, iat * 1000 + WINDOW_MS + 1);
          if (!once) throw refusal("it was used before");
        },
      };
    },
  };

  async function read(proof: string) {
    try {
      const { payload, protectedHeader } = await jwtVerify(proof, keyIn, {
        typ: "dpop+jwt",
        algorithms: PROOF_ALGORITHMS,
        currentDate: new Date(clock.now()),
      });
      // The proof was verified with the key in its own header.
      return { payload, key: await calculateJwkThumbprint(protectedHeader.jwk as JWK) };
    } catch (error) {
      if (isSignersFault(error)) throw refusal(error.message);
      throw error;
    }
  }
}

/** Returns the key in a proof's own header. */
const keyIn: typeof EmbeddedJWK = (header, token) => {
  if (header?.jwk && !isUsualKey(header.jwk)) throw refusal(`it ${UNUSUAL_KEY}`);
  return EmbeddedJWK(header, token);
};

/** Compares URLs without query and fragment (RFC 9449 §4.3). */
function isSame(htu: string, url: string): boolean {
  if (!URL.canParse(htu)) return false;
  const [a, b] = [new URL(htu), new URL(url)];
  return a.origin === b.origin && a.pathname === b.pathname;
}

function refusal(why: string): OAuthError {
  return new OAuthError("invalid_dpop_proof", `The DPoP proof cannot be used: ${why}.`);
}

import { hash } from "node:crypto";
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWK, jwtVerify } from "jose";
import { OAuthError } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { IsFirstUse } from "../first-use.ts";

/** What a client may sign its proofs with. */
export const PROOF_ALGORITHMS = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "PS256", "RS256"];

/** A proof that whoever asks has a private key (RFC 9449 §4). */
export interface Proof {
  /** The key's thumbprint (RFC 7638). */
  key: string;
  /** `OAuthError` where this very proof was spent before. */
  spend(): Promise<void>;
}

export interface Proofs {
  /**
   * @param proof the header `DPoP`, undefined where there is none.
   * @param accessToken that comes with it, at a resource.
   * @returns undefined where no proof came. `OAuthError` `invalid_dpop_proof` where it is not valid for this request.
   */
  verify(
    proof: string | string[] | undefined,
    request: { method: string; url: string; accessToken?: string },
  ): Promise<Proof | undefined>;
}

/** A proof is made for one request; clocks differ. */
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
          // Within the window whatever its iat: later it is refused by that.
          const once = await isFirstUse(`dpop/${key}`, jti, iat * 1000 + WINDOW_MS + 1);
          if (!once) throw refusal("it was used before");
        },
      };
    },
  };

  async function read(proof: string) {
    try {
      const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
        typ: "dpop+jwt",
        algorithms: PROOF_ALGORITHMS,
        currentDate: new Date(clock.now()),
      });
      // It was verified with the key that its header holds.
      return { payload, key: await calculateJwkThumbprint(protectedHeader.jwk as JWK) };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw refusal(error.message);
      throw error;
    }
  }
}

/** §4.3: without query and fragment. */
function isSame(htu: string, url: string): boolean {
  if (!URL.canParse(htu)) return false;
  const [a, b] = [new URL(htu), new URL(url)];
  return a.origin === b.origin && a.pathname === b.pathname;
}

function refusal(why: string): OAuthError {
  return new OAuthError("invalid_dpop_proof", `The DPoP proof cannot be used: ${why}.`);
}

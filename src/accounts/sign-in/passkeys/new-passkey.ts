import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Passkey } from "../../model.ts";

/** Ed25519, ES256 and RS256, which authenticators support (COSE algorithms). */
export const ALGORITHMS = [-8, -7, -257];
/** The bound of Web Authentication Level 3 §7.1. */
const MAX_ID_BYTES = 1023;
/** An RSA key of 8192 bits has 1.1 KB. */
const MAX_KEY_BYTES = 2048;

/**
 * Verifies an authenticator's answer to a request for a new passkey. Returns undefined if it is not in order; rejects if
 * it is malformed.
 */
export async function passkeyFrom(
  answer: RegistrationResponseJSON,
  expected: { expectedChallenge: string; expectedOrigin: string; expectedRPID: string },
): Promise<Omit<Passkey, "name" | "createdAt"> | undefined> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { attestationObject } = answer.response;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...answer,
      response: { ...answer.response, attestationObject: await unattested(attestationObject) },
    },
    ...expected,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified || !registrationInfo) return undefined;
  const { id, publicKey, counter, transports } = registrationInfo.credential;
  if (Buffer.from(id, "base64url").length > MAX_ID_BYTES || publicKey.length > MAX_KEY_BYTES)
    return undefined;
  return {
    id,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter,
    ...(transports && { transports: transports.slice(0, 8).map((one) => String(one).slice(0, 32)) }),
  };
}

/**
 * Returns an attestation object without its statement. None was asked for and none is trusted, but whoever answers may
 * send one with certificates, and the library would fetch the revocation lists from the addresses that these name.
 */
async function unattested(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
}

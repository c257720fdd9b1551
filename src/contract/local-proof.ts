import { createHmac, timingSafeEqual } from "node:crypto";

/** The side that proves: the command that asks or the server that answers. Neither proof is valid as the other's. */
export type Prover = "command" | "server";

/** What a proof is bound to: one device code, at one address. */
export interface ProvenSignIn {
  /** The server's base URL, as both sides know it. */
  address: string;
  deviceCode: string;
}

/**
 * Proves knowledge of the secret that a server has left for the user that runs it, without revealing it:
 * HMAC-SHA-256, in base64url. An intercepted proof is useless for another sign-in, side or address.
 */
export function localProof(secret: string, by: Prover, { address, deviceCode }: ProvenSignIn): string {
  const message = JSON.stringify(["toolplane local sign-in", by, address, deviceCode]);
  return createHmac("sha256", secret).update(message).digest("base64url");
}

/** Verifies a proof, in constant time. */
export function isLocalProof(proof: string, secret: string, by: Prover, signIn: ProvenSignIn): boolean {
  const [given, expected] = [proof, localProof(secret, by, signIn)].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
  ];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

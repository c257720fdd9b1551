import { createHmac, timingSafeEqual } from "node:crypto";

/** Whose proof it is: the command's that asks, or the server's that answers. One is no use as the other. */
export type Prover = "command" | "server";

/** What a proof is about: one device code, at one address. */
export interface ProvenSignIn {
  /** The server's base URL, as both sides know it. */
  address: string;
  deviceCode: string;
}

/**
 * Shows that somebody knows the secret which a server has left for the user that runs it, and tells nothing of
 * it: HMAC-SHA-256, in base64url. Whoever gets to see it can do nothing with it, for another sign-in or elsewhere.
 */
export function localProof(secret: string, by: Prover, { address, deviceCode }: ProvenSignIn): string {
  const message = JSON.stringify(["toolplane local sign-in", by, address, deviceCode]);
  return createHmac("sha256", secret).update(message).digest("base64url");
}

/** Compares in a time that tells nothing. */
export function isLocalProof(proof: string, secret: string, by: Prover, signIn: ProvenSignIn): boolean {
  const [given, expected] = [proof, localProof(secret, by, signIn)].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
  ];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

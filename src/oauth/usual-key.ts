const MAX_MODULUS_BITS = 8192;
const MAX_EXPONENT_BITS = 32;

/**
 * Whether the signatures of a public key (RFC 7517) are verified in a fraction of a millisecond. Its owner chooses it,
 * and an RSA key with a long exponent takes a hundred times as long for each signature, right or wrong.
 */
export function isUsualKey({ kty, n, e }: { kty?: unknown; n?: unknown; e?: unknown }): boolean {
  return kty !== "RSA" || (bitsOf(n) <= MAX_MODULUS_BITS && bitsOf(e) <= MAX_EXPONENT_BITS);
}

export const UNUSUAL_KEY = `has an RSA key of more than ${MAX_MODULUS_BITS} bits, or with an exponent of more than ${MAX_EXPONENT_BITS}`;

/** Returns the length of a number in base64url, to whole bytes. */
function bitsOf(number: unknown): number {
  return typeof number === "string" ? 8 * Buffer.from(number, "base64url").length : 0;
}

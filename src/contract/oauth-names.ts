/** The `grant_type` of a device that asks for the tokens of its code (RFC 8628 §3.4). */
export const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * How an ID token may be signed (RFC 8037, RFC 7518 §3.3): as everything else is that this server signs, or as each client
 * of OpenID Connect can verify.
 */
export const ID_TOKEN_ALGORITHMS = ["EdDSA", "RS256"] as const;
export type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number];

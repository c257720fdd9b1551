import type { JsonWebKey } from "node:crypto";

/** A public key of a JWK Set (RFC 7517). */
export type PublicKey = JsonWebKey & { kid?: string };

/** Returns the key id in the header of a compact JWS; undefined if there is none or it is not a JWS. */
export function keyIdOf(jws: string): string | undefined {
  return headerOf(jws)?.kid;
}

/** Returns the unverified issuer of a compact JWS. For messages only. */
export function issuerOf(jws: string): string | undefined {
  return (decode(jws.split(".")[1]) as { iss?: string } | undefined)?.iss;
}

/**
 * Returns the payload of a compact JWS (RFC 7515) that one of `keys` signed with Ed25519 (RFC 8037) as a `typ`,
 * undefined otherwise. Accepts no other algorithm, whatever the header says.
 */
export function verifiedPayload(jws: string, keys: readonly PublicKey[], typ: string): unknown {
  const header = headerOf(jws);
  const key = keys.find(({ kid }) => kid !== undefined && kid === header?.kid);
  if (header?.alg !== "EdDSA" || header.typ !== typ || header.crit !== undefined || !key) return undefined;
  const [head, payload, signature = ""] = jws.split(".");
  // Loaded lazily, because most commands verify no signature.
  const { createPublicKey, verify } = process.getBuiltinModule("node:crypto");
  try {
    const publicKey = createPublicKey({ key, format: "jwk" });
    if (publicKey.asymmetricKeyType !== "ed25519") return undefined;
    const signed = Buffer.from(`${head}.${payload}`);
    if (!verify(null, signed, publicKey, Buffer.from(signature, "base64url"))) return undefined;
    return decode(payload);
  } catch {
    return undefined;
  }
}

interface Header {
  alg?: string;
  kid?: string;
  typ?: string;
  crit?: unknown;
}

function headerOf(jws: string): Header | undefined {
  const parts = jws.split(".");
  return parts.length === 3 ? (decode(parts[0]) as Header | undefined) : undefined;
}

function decode(part = ""): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

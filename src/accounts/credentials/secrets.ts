import { hash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Random } from "../../system/random.ts";

/** The prefixes of Toolplane's access tokens, refresh tokens, API keys, session cookies and sign-in links. */
const PREFIXES = {
  access_token: "tat",
  refresh_token: "trt",
  api_key: "tak",
  session: "tse",
  sign_in_link: "tsl",
} as const;

export type SecretKind = keyof typeof PREFIXES;

const KINDS = new Map<string, SecretKind>(
  Object.entries(PREFIXES).map(([kind, prefix]) => [prefix, kind as SecretKind]),
);

const RANDOM_BYTES = 32;
/** Base-36 digits needed for 256 bits, and for the 32 bits of the checksum. */
const RANDOM_DIGITS = 50;
const CHECKSUM_DIGITS = 7;

const FORM = new RegExp(`^(${[...KINDS.keys()].join("|")})_[0-9a-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`);

/**
 * Makes a new secret: a prefix of three letters that names its kind, `_`, 256 random bits in 50 digits of
 * base 36, and the CRC-32 of all of that in 7 digits. Secret scanners recognise it by
 * `\b(tat|trt|tak|tse|tsl)_[0-9a-z]{57}\b` and the checksum.
 */
export function newSecret(kind: SecretKind, random: Pick<Random, "bytes">): string {
  const chance = BigInt(`0x${random.bytes(RANDOM_BYTES).toString("hex")}`);
  const body = `${PREFIXES[kind]}_${chance.toString(36).padStart(RANDOM_DIGITS, "0")}`;
  return body + checksum(body);
}

/** Returns the kind of a well-formed secret. Returns undefined for a typo, which saves a lookup. */
export function secretKind(secret: string): SecretKind | undefined {
  const prefix = FORM.exec(secret)?.[1];
  if (prefix === undefined) return undefined;
  const end = secret.length - CHECKSUM_DIGITS;
  return checksum(secret.slice(0, end)) === secret.slice(end) ? KINDS.get(prefix) : undefined;
}

/**
 * Returns the hash that is stored instead of a secret. It needs no salt or stretching, because a secret has 256
 * random bits, and it must be cheap, because each request computes one.
 */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Whether a secret has this SHA-256 hash. Takes the same time for any other. */
export function hasHash(secret: string, expected: Buffer): boolean {
  const digest = hash("sha256", secret, "buffer");
  return digest.length === expected.length && timingSafeEqual(digest, expected);
}

function checksum(body: string): string {
  return crc32(body).toString(36).padStart(CHECKSUM_DIGITS, "0");
}

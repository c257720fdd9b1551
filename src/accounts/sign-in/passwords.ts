import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { invalidRequest } from "../../contract/faults.ts";
import { overloaded } from "../../contract/retry-later.ts";
import type { Random } from "../../system/random.ts";
import { createTurns } from "../../system/turns.ts";

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The variant of OWASP's recommendation that takes 32 MiB: N = 2^15, r = 8, p = 3; N · r · 128 bytes. */
const LOG_N = 15;
const BLOCK_SIZE = 8;
const PARALLELISM = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

const ENCODED = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

export interface Passwords {
  /** Hashes with scrypt (RFC 7914) into the PHC string format: `$scrypt$ln=…,r=…,p=…$salt$hash`. */
  hash(subject: string, password: string): Promise<string>;
  /** Reports whether a password matches. Takes the same time if none is set. */
  verify(subject: string, password: string, encoded: string | undefined): Promise<boolean>;
}

/**
 * Limits concurrent derivations, since unauthenticated clients cause them. Node has four threads for these, for file
 * access and for DNS lookups: at most two derive at once, and one for the same subject. A derivation takes a quarter
 * of a second. `Problem` `overloaded` if the queue is full, so that nobody waits for more than some seconds.
 *
 * @param logN the binary logarithm of scrypt's cost N.
 */
export function createPasswords({
  random,
  logN = LOG_N,
}: {
  random: Pick<Random, "bytes">;
  logN?: number;
}): Passwords {
  const turns = createTurns({
    maxRunning: 2,
    maxOfOne: 1,
    maxWaiting: 32,
    refusal: () => overloaded("Too many people sign in at once. Try again in a few seconds.", 5),
  });
  /** Verified if no password is set, to take the same time. No password derives to this all-zero hash. */
  const nobodys = encode(logN, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));
  return {
    hash: (subject, password) =>
      turns.run(subject, async () => {
        const salt = random.bytes(SALT_BYTES);
        const cost = { N: 2 ** logN, r: BLOCK_SIZE, p: PARALLELISM, maxmem: MAX_MEMORY_BYTES };
        return encode(logN, salt, await derive(normalise(password), salt, HASH_BYTES, cost));
      }),
    verify: (subject, password, encoded = nobodys) =>
      turns.run(subject, async () => {
        const found = ENCODED.exec(encoded) as [string, string, string, string, string, string] | null;
        if (!found) throw new Error("a stored password is not in the form of scrypt");
        const [, ln, r, p, salt, hash] = found;
        const expected = Buffer.from(hash, "base64");
        const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p), maxmem: MAX_MEMORY_BYTES };
        const derived = await derive(normalise(password), Buffer.from(salt, "base64"), expected.length, cost);
        return timingSafeEqual(derived, expected);
      }),
  };
}

/** Checks the length only, as NIST SP 800-63B recommends. Returns the end of a sentence, or undefined. */
export function faultOfNewPassword(password: string): string | undefined {
  const length = [...normalise(password)].length;
  if (length >= MIN_LENGTH && length <= MAX_LENGTH) return undefined;
  return `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`;
}

/** Throws `Problem` `invalid_request` if a new password is too short or too long. */
export function checkNewPassword(password: string): void {
  const message = faultOfNewPassword(password);
  if (message) throw invalidRequest([{ path: "password", message }]);
}

/** Normalizes to NFKC, since keyboards compose the same characters differently. */
function normalise(password: string): string {
  return password.normalize("NFKC");
}

function encode(logN: number, salt: Buffer, hash: Buffer): string {
  const [encodedSalt, encodedHash] = [salt, hash].map((bytes) =>
    bytes.toString("base64").replaceAll("=", ""),
  );
  return `$scrypt$ln=${logN},r=${BLOCK_SIZE},p=${PARALLELISM}$${encodedSalt}$${encodedHash}`;
}

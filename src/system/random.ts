import type { Clock } from "./clock.ts";

/** Chance as the rest of the program sees it, so that tests can repeat it. */
export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Buffer;
  /** A number in [0, 1), for jitter; never for secrets. */
  fraction(): number;
  /** An identifier such as `mem_01jd…`: prefix, 48 bits of time, 80 of chance; later ones sort later. */
  id(prefix: string): string;
}

/** Crockford's base 32 in lower case: sorts as the bytes do. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** A clock that is set back by more was wrong before. */
const MAX_BACK_MS = 60_000;

/**
 * Identifiers in the manner of ULID: within one millisecond the random part counts up, so that the order of making
 * is the order of sorting. So it does where the clock is set back a little; where it was far ahead, the ids follow
 * it back, or they would tell a false time for as long as it was ahead.
 */
export function createRandom(clock: Pick<Clock, "now">, bytes: (length: number) => Buffer = pooled): Random {
  let lastTime = 0;
  let high = 0;
  let low = 0;
  /** Of time and `high`, which many have in common. */
  let start = base32(0, 18);
  return {
    bytes,
    fraction: () => bytes(6).readUIntBE(0, 6) / 2 ** 48,
    id(prefix) {
      const time = clock.now();
      if (time > lastTime || time < lastTime - MAX_BACK_MS) {
        lastTime = time;
        const chance = bytes(10);
        high = chance.readUIntBE(0, 5) % 2 ** 39;
        low = chance.readUIntBE(5, 5);
        start = base32(lastTime, 10) + base32(high, 8);
      } else if (++low === 2 ** 40) {
        low = 0;
        high += 1;
        start = base32(lastTime, 10) + base32(high, 8);
      }
      return `${prefix}_${start}${base32(low, 8)}`;
    },
  };
}

function base32(value: number, digits: number): string {
  let text = "";
  let rest = value;
  for (let index = 0; index < digits; index++) {
    text = (ALPHABET[rest % 32] as string) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Sorts behind every identifier of that prefix made before a time, and before all made since. */
export function firstIdAt(prefix: string, time: number): string {
  return `${prefix}_${base32(Math.max(0, Math.ceil(time)), 10)}`;
}

/** When an identifier was made; milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return [...id.slice(-26, -16)].reduce((time, digit) => 32 * time + ALPHABET.indexOf(digit), 0);
}

/** One system call fills the pool for many small requests: ids are made on the hot path. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let used = 0;

function pooled(length: number): Buffer {
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  if (length > 64) return randomBytes(length);
  if (used + length > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += length;
  return Buffer.from(pool.subarray(used - length, used));
}

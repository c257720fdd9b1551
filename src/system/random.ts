import type { Clock } from "./clock.ts";
import { MINUTE_MS } from "./durations.ts";

/** The source of randomness for the whole program, so that tests can replace it. */
export interface Random {
  /** Returns `length` unpredictable bytes. */
  bytes(length: number): Buffer;
  /** Returns a number in [0, 1), for jitter. Never use it for secrets. */
  fraction(): number;
  /** Returns an identifier such as `mem_01jd…`: prefix, 48 bits of time, 80 random bits. Later ones sort later. */
  id(prefix: string): string;
}

/** Crockford's base 32 in lower case, which sorts like the bytes. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Digits of the part of an id that is incremented. */
const LOW_DIGITS = 8;

/** If the clock is set back by more than this, it was wrong before. */
const MAX_BACK_MS = MINUTE_MS;

/**
 * Creates identifiers like ULID: within one millisecond the random part is incremented, so that ids sort in the order
 * of creation, even if the clock is set back a little. If the clock was far ahead, ids follow it back, because they
 * would otherwise contain a wrong time for as long as it was ahead.
 */
export function createRandom(clock: Pick<Clock, "now">, bytes: (length: number) => Buffer = pooled): Random {
  let lastTime = 0;
  let high = 0;
  let low = 0;
  /** The encoded time and `high`, which consecutive ids share. */
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
      return `${prefix}_${start}${base32(low, LOW_DIGITS)}`;
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

/** Returns ids that one source made one after the other at one time, from the first on. */
export function idsFrom(first: string, count: number): string[] {
  const low = numberOf(first.slice(-LOW_DIGITS));
  const start = first.slice(0, -LOW_DIGITS);
  const after = (steps: number) => start + base32(low + steps, LOW_DIGITS);
  return Array.from({ length: count }, (_, index) => (index === 0 ? first : after(index)));
}

/** Returns a bound that sorts after every identifier of the prefix made before a time, and before all later ones. */
export function firstIdAt(prefix: string, time: number): string {
  return `${prefix}_${base32(Math.max(0, Math.ceil(time)), 10)}`;
}

/** Returns when an identifier was made, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  return numberOf(id.slice(-26, -16));
}

function numberOf(digits: string): number {
  return [...digits].reduce((number, digit) => 32 * number + ALPHABET.indexOf(digit), 0);
}

/** Size of the pool that one system call fills for many small requests, because ids are made on the hot path. */
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

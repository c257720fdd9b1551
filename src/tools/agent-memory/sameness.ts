import { changesMeaning, type Statement } from "./statement.ts";

/** Of the longer text, where one says what the other says and a little more. */
const MIN_COVERED = 0.8;
const MIN_WORDS = 4;
const SHINGLE = 3;
/** Of a text that is an echo, what may be new. */
const MAX_NEW = 0.1;

/** Of polynomial hashes: below 2²⁶, so that no product exceeds what a number holds exactly. */
const PRIME = 67_108_859;
const BASE = 31_415_927;

/**
 * A statement with the hashes of its beginnings, by which the hash of any stretch of it is known at once.
 * Made in the time that it takes to read it.
 */
export interface Hashed {
  readonly words: Statement;
  /** Of the first 0, 1, 2 … words. */
  readonly beginnings: Uint32Array;
}

export function hashed(words: Statement): Hashed {
  const beginnings = new Uint32Array(words.length + 1);
  let hash = 0;
  for (let at = 0; at < words.length; at++) {
    hash = (hash * BASE + ((words[at] as number) % PRIME)) % PRIME;
    beginnings[at + 1] = hash;
  }
  return { words, beginnings };
}

/**
 * Whether two texts say the same but for case, punctuation, inflection and articles, or one says
 * what the other says and a little more in front or behind. A number or a negation more is another
 * statement. Takes no time but for the few places where one could stand in the other.
 */
export function sayTheSame(one: Hashed, other: Hashed): boolean {
  const [short, long] = one.words.length <= other.words.length ? [one, other] : [other, one];
  const [least, most] = [short.words.length, long.words.length];
  if (least === 0 || least < MIN_COVERED * most) return false;
  if (least < most && least < MIN_WORDS) return false;
  const start = placeIn(long, short);
  if (start < 0) return false;
  for (let at = 0; at < most; at++) {
    if (at === start) at += least;
    if (at < most && changesMeaning(long.words[at] as number)) return false;
  }
  return true;
}

/** Where one statement begins within another; -1 where it does not stand there. */
function placeIn(long: Hashed, short: Hashed): number {
  const length = short.words.length;
  const power = powerOf(length);
  const wanted = short.beginnings[length] as number;
  for (let start = 0; start <= long.words.length - length; start++) {
    const end = long.beginnings[start + length] as number;
    const before = ((long.beginnings[start] as number) * power) % PRIME;
    if ((end - before + PRIME) % PRIME !== wanted) continue;
    if (short.words.every((word, at) => word === long.words[start + at])) return start;
  }
  return -1;
}

function powerOf(exponent: number): number {
  let power = 1;
  let square = BASE;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = (power * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return power;
}

/** A statement that others may be echoes of. */
export interface EchoSource extends Hashed {
  readonly shingles: ReadonlySet<number>;
}

export function echoSource(words: Statement): EchoSource {
  return { ...hashed(words), shingles: new Set(shinglesOf(words)) };
}

/** Whether a text repeats what others say, word for word, in any order of its parts. */
export function echoes(text: Hashed, sources: readonly EchoSource[]): boolean {
  const { words } = text;
  if (sources.some((source) => sayTheSame(text, source) && words.length <= source.words.length)) return true;
  if (words.length < 2 * MIN_WORDS) return false;
  const covered = new Uint8Array(words.length);
  for (const [at, shingle] of shinglesOf(words).entries()) {
    if (sources.some(({ shingles }) => shingles.has(shingle))) covered.fill(1, at, at + SHINGLE);
  }
  const fresh = words.filter((_, at) => covered[at] === 0);
  return fresh.length <= MAX_NEW * words.length && !fresh.some(changesMeaning);
}

/** Each three words on end, as a number. */
function shinglesOf(words: Statement): number[] {
  const count = Math.max(0, words.length - SHINGLE + 1);
  return Array.from({ length: count }, (_, at) => {
    const [first, second, third] = [words[at], words[at + 1], words[at + 2]] as [number, number, number];
    const mixed = Math.imul(Math.imul(first, 31) ^ second, 0x9e3779b1) >>> 0;
    return mixed * 0x100000 + ((third ^ (third >>> 12)) & 0xfffff);
  });
}

import { changesMeaning, type Statement, saysNothingAlone } from "./statement.ts";

/** Minimum length of the shorter of two texts that say the same, as a share of the longer. */
const MIN_COVERED = 0.8;
const MIN_WORDS = 4;

/** Modulus of the polynomial hashes, below 2²⁶ so that no product exceeds the safe integers. */
const PRIME = 67_108_859;
const BASE = 31_415_927;

/**
 * A statement with the hashes of its prefixes, from which the hash of any stretch is computed in constant
 * time. `hashed` builds it in linear time.
 */
export interface Hashed {
  readonly words: Statement;
  /** Hashes of the first 0, 1, 2 … words. */
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
 * Whether a text says the same as a known one, regardless of case, punctuation, inflection and articles. It
 * may add a few words at either end, but no number and no negation. It may leave out only words that say
 * nothing alone. Words are compared only where the rolling hashes are equal.
 */
export function restates(said: Hashed, known: Hashed): boolean {
  const saysLess = said.words.length < known.words.length;
  const [short, long] = saysLess ? [said, known] : [known, said];
  const [least, most] = [short.words.length, long.words.length];
  if (least === 0 || least < MIN_COVERED * most) return false;
  if (least < most && least < MIN_WORDS) return false;
  const start = placeIn(long, short, 0);
  if (start < 0) return false;
  const rest = [...long.words.subarray(0, start), ...long.words.subarray(start + least)];
  return rest.every(saysLess ? saysNothingAlone : (code) => !changesMeaning(code));
}

/** Returns the first position, at or after `from`, of one statement within another, or -1. */
function placeIn(long: Hashed, short: Hashed, from: number): number {
  const length = short.words.length;
  const power = powerOf(length);
  const wanted = short.beginnings[length] as number;
  for (let start = from; start <= long.words.length - length; start++) {
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

/**
 * Whether a text only repeats the sources: one of them alone, or several in full and in any order, with
 * nothing between them but words that say nothing alone.
 */
export function echoes(text: Hashed, sources: readonly Hashed[]): boolean {
  const { words } = text;
  if (sources.some((source) => words.length <= source.words.length && restates(text, source))) return true;
  const covered = new Uint8Array(words.length);
  for (const source of sources) {
    const { length } = source.words;
    if (length < MIN_WORDS) continue;
    for (let at = placeIn(text, source, 0); at >= 0; at = placeIn(text, source, at + length)) {
      covered.fill(1, at, at + length);
    }
  }
  return covered.includes(1) && words.every((word, at) => covered[at] === 1 || saysNothingAlone(word));
}

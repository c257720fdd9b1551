import { stemOf } from "../../text/stems.ts";
import { wordsOf } from "../../text/words.ts";

/** Words that may be there or not without a text saying anything else. */
const FILLERS = new Set("a an the that please really very just also".split(" "));
/** Words that turn what is said around it. */
const TURNS = new Set(
  "not no never none without except unless only but however instead longer stopped cannot nor neither until"
    .split(" ")
    .map(stemOf),
);
/** Of the longer text, where one says what the other says and a little more. */
const LEAST_COVERED = 0.8;
const LEAST_WORDS = 4;
const SHINGLE = 3;
/** Of a text that is an echo, what may be new. */
const MOST_NEW = 0.1;

/** What two texts are compared by: stems in order. */
export function statementOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => (FILLERS.has(word) ? [] : [stemOf(word)]));
}

/**
 * Whether two texts say the same but for case, punctuation, inflection and articles, or one says
 * what the other says and a little more in front or behind. A number or a negation more is another statement.
 */
export function sayTheSame(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length === 0) return false;
  if (short.length < LEAST_COVERED * long.length) return false;
  if (short.length < long.length && short.length < LEAST_WORDS) return false;
  for (let start = 0; start <= long.length - short.length; start++) {
    if (!short.every((word, index) => word === long[start + index])) continue;
    const more = [...long.slice(0, start), ...long.slice(start + short.length)];
    return !more.some(changesMeaning);
  }
  return false;
}

/** Whether a text repeats what others say, word for word, in any order of its parts. */
export function echoes(text: readonly string[], sources: readonly (readonly string[])[]): boolean {
  if (sources.some((source) => sayTheSame(text, source) && text.length <= source.length)) return true;
  if (text.length < 2 * LEAST_WORDS) return false;
  const known = new Set(sources.flatMap(shinglesOf));
  const covered = new Uint8Array(text.length);
  for (const [at, shingle] of shinglesOf(text).entries()) {
    if (known.has(shingle)) covered.fill(1, at, at + SHINGLE);
  }
  const fresh = text.filter((_, at) => covered[at] === 0);
  return fresh.length <= MOST_NEW * text.length && !fresh.some(changesMeaning);
}

function shinglesOf(words: readonly string[]): string[] {
  const count = Math.max(0, words.length - SHINGLE + 1);
  return Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE).join(" "));
}

function changesMeaning(word: string): boolean {
  return TURNS.has(word) || /\p{N}/u.test(word);
}

import { hash } from "node:crypto";
import { codeOf } from "../../text/codes.ts";
import { stemOf } from "../../text/stems.ts";
import { STOP_WORDS } from "../../text/stop-words.ts";
import { wordsOf } from "../../text/words.ts";

/**
 * What two texts are compared by: the stems of their words in order, each as a number, odd where the word
 * changes the meaning of what is said around it.
 */
export type Statement = Uint32Array;

/** Words that may be there or not without a text saying anything else. */
const FILLERS = new Set("a an the that please really very just also".split(" "));
/** Words that turn what is said around it. */
const TURNS = new Set(
  "not no never none without except unless only but however instead longer stopped cannot nor neither until formerly previously anymore deprecated"
    .split(" ")
    .map(stemOf),
);
const DIGITS = /\p{N}/u;
const TURN_CODES = new Set([...TURNS].map((stem) => (codeOf(stem) | 1) >>> 0));
/** Stop words, or of the same stem as one, that a statement can turn on: "us" and "use" have one stem. */
const WEIGHTY = new Set(["us", "own"]);
/** Codes of what stands between the words that a text is about. */
const LIGHT = new Set(
  [...STOP_WORDS].filter((word) => !WEIGHTY.has(word)).map((word) => (codeOf(stemOf(word)) & ~1) >>> 0),
);

export function statementOf(text: string): Statement {
  return statementIn(wordsOf(text));
}

/** @param words of a text, in order. */
export function statementIn(words: readonly string[]): Statement {
  const codes = new Uint32Array(words.length);
  let length = 0;
  for (const word of words) {
    if (FILLERS.has(word)) continue;
    const stem = stemOf(word);
    codes[length++] = ((codeOf(stem) & ~1) | Number(TURNS.has(stem) || DIGITS.test(stem))) >>> 0;
  }
  return codes.slice(0, length);
}

/** The same for all that says the same, word for word, in the same group. */
export function digestOf(group: string, statement: Statement): string {
  const codes = Buffer.from(statement.buffer, statement.byteOffset, statement.byteLength);
  return hash("sha256", Buffer.concat([Buffer.from(group), codes]), "base64url").slice(0, 16);
}

export function changesMeaning(code: number): boolean {
  return (code & 1) === 1;
}

/** Of those, the ones that turn what is said around them into its opposite, or bound it. */
export function turns(code: number): boolean {
  return TURN_CODES.has(code);
}

/** Whether a word only joins others: without it a text speaks of the same things. */
export function saysNothingAlone(code: number): boolean {
  return LIGHT.has(code);
}

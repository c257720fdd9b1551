import { hash } from "node:crypto";
import { codeOf } from "../../text/codes.ts";
import { stemOf } from "../../text/stems.ts";
import { STOP_WORDS } from "../../text/stop-words.ts";
import { wordsOf } from "../../text/words.ts";

/**
 * A text in the form that it is compared in: the stems of its words in order, each hashed to a number. A
 * number is odd if its word changes the meaning of the words around it: a negation, a limit or a number.
 */
export type Statement = Uint32Array;

/** Words that do not change what a text says. */
const FILLERS = new Set("a an the that please really very just also".split(" "));
/** Words that negate or limit what is said around them. */
const TURNS = new Set(
  "not no never none without except unless only but however instead longer stopped cannot nor neither until formerly previously anymore deprecated"
    .split(" ")
    .map(stemOf),
);
const DIGITS = /\p{N}/u;
const TURN_CODES = new Set([...TURNS].map((stem) => (codeOf(stem) | 1) >>> 0));
/**
 * Stop words that count as content: "own" can decide the meaning of a statement, and "us" has the same stem
 * as "use".
 */
const WEIGHTY = new Set(["us", "own"]);
/** Codes of the stop words, which only join the words that a text is about. */
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

/** Returns equal digests for equal statements of the same group. */
export function digestOf(group: string, statement: Statement): string {
  const codes = Buffer.from(statement.buffer, statement.byteOffset, statement.byteLength);
  return hash("sha256", Buffer.concat([Buffer.from(group), codes]), "base64url").slice(0, 16);
}

export function changesMeaning(code: number): boolean {
  return (code & 1) === 1;
}

/** Whether a word negates or limits what is said around it. Unlike `changesMeaning`, leaves out numbers. */
export function turns(code: number): boolean {
  return TURN_CODES.has(code);
}

/** Whether a word only joins others, so that a text without it is still about the same things. */
export function saysNothingAlone(code: number): boolean {
  return LIGHT.has(code);
}

/** Clears the bit that marks words that change the meaning. */
export function plain(code: number): number {
  return (code & ~1) >>> 0;
}

/** Returns the code of a word, without that bit. */
export function codeOfWord(word: string): number {
  return plain(codeOf(stemOf(word)));
}

export function codesOf(words: string): ReadonlySet<number> {
  return new Set(words.split(" ").map(codeOfWord));
}

import { hash } from "node:crypto";
import { codeOf } from "../../text/codes.ts";
import { stemOf } from "../../text/stems.ts";
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
  "not no never none without except unless only but however instead longer stopped cannot nor neither until"
    .split(" ")
    .map(stemOf),
);
const DIGITS = /\p{N}/u;

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

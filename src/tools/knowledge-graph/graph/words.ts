import { withoutAccents } from "../../../text/accents.ts";

/** Longer words are cut: nobody types them, and they would fill the index. */
const MAX_WORD_LENGTH = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
const ASCII_RUNS = /[A-Za-z0-9]+/g;
const RUNS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const CAMEL_CASE = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const CAMEL_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+/gu;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * Returns the words of a text as they are indexed and looked up, in order: in lower case, without accents.
 * `getUserById` is a word and four more. In a script without spaces, each character and the next one are a word.
 */
export function wordsOf(text: string): string[] {
  const plain = ASCII.test(text);
  const folded = plain ? text : withoutAccents(text);
  const words: string[] = [];
  for (const run of folded.match(plain ? ASCII_RUNS : RUNS) ?? []) {
    if (!plain && UNSPACED.test(run)) words.push(...pairs(run.toLowerCase()));
    else {
      words.push(cut(run.toLowerCase()));
      if (CAMEL_CASE.test(run)) {
        for (const part of run.match(CAMEL_PARTS) ?? []) words.push(cut(part.toLowerCase()));
      }
    }
  }
  return words;
}

function cut(word: string): string {
  return word.slice(0, MAX_WORD_LENGTH);
}

function pairs(run: string): string[] {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
}

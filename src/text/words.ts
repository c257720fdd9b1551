import { withoutAccents } from "./accents.ts";

/** Longer words are cut. Nobody searches for them, and they would fill an index. */
const MAX_WORD_LENGTH = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\u0000-\u007f]*$/;
const ASCII_RUNS = /[A-Za-z0-9]+(?:'[A-Za-z]+)?/g;
const RUNS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’]\p{L}+)?/gu;
const CAMEL_CASE = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const CAMEL_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+/gu;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const APOSTROPHE = /['’]/;

/**
 * Returns the words of a text, in order: in lower case, without accents, cut at an apostrophe except for negations
 * (`didn't` becomes `did not`). `getUserById` becomes one word and four parts. In scripts without spaces, each two
 * adjacent characters form a word.
 */
export function wordsOf(text: string): string[] {
  const plain = ASCII.test(text);
  const folded = plain ? text : withoutAccents(text);
  const words: string[] = [];
  for (const run of folded.match(plain ? ASCII_RUNS : RUNS) ?? []) {
    if (!plain && UNSPACED.test(run)) words.push(...pairs(run.toLowerCase()));
    else if (APOSTROPHE.test(run)) words.push(...contracted(run.toLowerCase()));
    else {
      words.push(cut(run.toLowerCase()));
      if (CAMEL_CASE.test(run)) {
        for (const part of run.match(CAMEL_PARTS) ?? []) words.push(cut(part.toLowerCase()));
      }
    }
  }
  return words;
}

const IRREGULAR_NEGATIONS: Readonly<Record<string, string>> = { can: "can", won: "will", shan: "shall" };

function contracted(run: string): string[] {
  const [head = "", tail = ""] = run.split(APOSTROPHE);
  if (tail !== "t" || !head.endsWith("n")) return [cut(head)];
  return [IRREGULAR_NEGATIONS[head] ?? head.slice(0, -1), "not"];
}

function cut(word: string): string {
  return word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word;
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => (characters[index] as string) + character);
}

import { stemOf } from "../../text/stems.ts";
import { STOP_WORDS } from "../../text/stop-words.ts";
import { wordsOf } from "../../text/words.ts";

const MAX_KEYWORDS = 8;
/** Frequent words that do not say what a text is about. */
const LIGHT = new Set(
  "thing something anything nothing way lot good nice go come make take know think say tell see want need try use look feel really still even much well new time day today yesterday tomorrow not no never always".split(
    " ",
  ),
);
const MIN_LENGTH = 3;
/** The placeholder of a masked secret. */
const MASKED = /\[masked [a-z-]+\]/g;

/** Returns the keywords of a text as first written there. Repeated words come first, then long and early ones. */
export function keywordsOf(text: string): string[] {
  return keywordsIn(wordsOf(text.replace(MASKED, " ")));
}

/** @param words the words of a text in order, with no masked secrets among them. */
export function keywordsIn(words: readonly string[]): string[] {
  const found = new Map<string, { word: string; count: number; at: number }>();
  for (const [at, word] of words.entries()) {
    if (STOP_WORDS.has(word) || (word.length < MIN_LENGTH && /^[\p{Script=Latin}\d]+$/u.test(word))) continue;
    const stem = stemOf(word);
    if (LIGHT.has(stem) || LIGHT.has(word) || /^\p{N}+$/u.test(word)) continue;
    const known = found.get(stem);
    if (known) known.count++;
    else found.set(stem, { word, count: 1, at });
  }
  const weight = ({ word, count, at }: { word: string; count: number; at: number }) =>
    count * (1 + Math.min(word.length, 12) / 12) * (1 + 1 / (1 + at / 20));
  return [...found.values()]
    .sort((a, b) => weight(b) - weight(a) || a.at - b.at)
    .slice(0, MAX_KEYWORDS)
    .map(({ word }) => word);
}

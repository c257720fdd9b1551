import { stemOf } from "./stems.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

/** What a text is about: the stems of its words without stop words, in order, repeated as they are. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => (STOP_WORDS.has(word) ? [] : [stemOf(word)]));
}

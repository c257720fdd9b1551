import { stemOf } from "./stems.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

/** Returns the stems of a text's words without stop words, in order and with repetitions. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => (STOP_WORDS.has(word) ? [] : [stemOf(word)]));
}

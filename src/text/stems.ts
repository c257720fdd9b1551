import { stemmer } from "stemmer";
import { IRREGULAR_FORMS } from "./irregular-forms.ts";

const ASCII_WORD = /^[a-z]{3,}$/;
const MAX_REMEMBERED = 50_000;
const remembered = new Map<string, string>();

/**
 * What the forms of an English word have in common: irregular ones are led back (`went` to `go`), then
 * endings cut off (Porter 1980). Words with digits or of other scripts stay as they are.
 */
export function stemOf(word: string): string {
  if (!ASCII_WORD.test(word)) return word;
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(IRREGULAR_FORMS.get(word) ?? word);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(word, stem);
  return stem;
}

import { stemmer } from "stemmer";
import { IRREGULAR_FORMS } from "./irregular-forms.ts";

const ASCII_WORD = /^[a-z]{3,}$/;
const MAX_REMEMBERED = 50_000;
const remembered = new Map<string, string>();

/**
 * Returns the stem of an English word: maps irregular forms to their base (`went` to `go`), then removes endings
 * (Porter 1980). Words with digits or in other scripts are returned unchanged.
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

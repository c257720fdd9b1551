import { copyOf } from "../copy.ts";
import { stemOf } from "../stems.ts";
import { STOP_WORDS } from "../stop-words.ts";

/** Identifiers, words and numbers; accents and other scripts are letters like any. */
const RUNS = /[\p{L}\p{N}_$]+/gu;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+/gu;
const MAX_RUN_LENGTH = 64;

/**
 * The terms of code and of what is written about it: an identifier whole, and the stems of its parts, so that
 * `parse_header` and `parseHeader` are found by "parsing headers", and each better by itself.
 */
export function codeTerms(text: string): string[] {
  const terms: string[] = [];
  for (const run of text.match(RUNS) ?? []) addTerms(run, terms);
  return terms;
}

const known = new Map<string, readonly string[]>();
/** Of runs whose terms are remembered. */
const MAX_KNOWN = 50_000;

function addTerms(run: string, terms: string[]): void {
  let found = known.get(run);
  if (!found) {
    const kept = copyOf(run);
    found = termsOfRun(kept);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(kept, found);
  }
  for (const term of found) terms.push(term);
}

function termsOfRun(run: string): readonly string[] {
  if (run.length > MAX_RUN_LENGTH) return [];
  const whole = run.toLowerCase();
  const parts = run.match(PARTS) ?? [];
  if (parts.length <= 1) {
    const word = parts[0]?.toLowerCase() ?? whole;
    return STOP_WORDS.has(word) || word.length < 2 ? [] : [stemOf(word)];
  }
  const stems = parts
    .map((part) => part.toLowerCase())
    .filter((part) => part.length > 1 && !STOP_WORDS.has(part));
  return [whole, ...stems.map(stemOf)];
}

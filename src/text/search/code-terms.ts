import { copyOf } from "../copy.ts";
import { stemOf } from "../stems.ts";
import { STOP_WORDS } from "../stop-words.ts";

/** Identifiers, words and numbers, in any script. */
const RUNS = /[\p{L}\p{N}_$]+/gu;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+/gu;
const MAX_RUN_LENGTH = 64;

/**
 * Returns the terms of code or of text about code: each identifier as a whole, and the stems of its parts. So
 * "parsing headers" finds `parse_header` and `parseHeader`, and each identifier finds itself even better.
 */
export function codeTerms(text: string): string[] {
  const terms: string[] = [];
  for (const run of text.match(RUNS) ?? []) addTerms(run, terms);
  return terms;
}

const known = new Map<string, readonly string[]>();
/** Bound on the cached runs. */
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

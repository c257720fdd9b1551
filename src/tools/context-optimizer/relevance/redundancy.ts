import { stemOf } from "../../../text/stems.ts";
import { wordsOf } from "../../../text/words.ts";
import type { Unit } from "../units.ts";

/** Why a unit goes before all that says something of its own. */
export type Redundancy = "redundant" | "boilerplate";

const MIN_WORDS = 4;
const BOILERPLATE =
  /\b(?:all rights reserved|licen[sc]ed under the|permission is hereby granted|without warrant(?:y|ies) of any kind|spdx-license-identifier|cookie policy|accept (?:all )?cookies|subscribe to our newsletter|terms of (?:service|use)|privacy policy|click here to|sign up for free)\b|^\W*(?:copyright|©)\s*(?:\(c\)|©|\d{4})/i;

/**
 * Of what says the same again the first is kept: the same words but for case, inflection, order and
 * punctuation; of log lines, but for numbers, times and ids as well.
 */
export function redundanciesOf(units: readonly Unit[]): (Redundancy | undefined)[] {
  const seen = new Set<string>();
  return units.map(({ text, kind }) => {
    if (BOILERPLATE.test(text)) return "boilerplate";
    const key =
      kind === "log"
        ? templateOf(text)
        : kind === "prose" || kind === "dialogue"
          ? wordsIn(text)
          : text.trim();
    if (key === undefined || key.length < MIN_WORDS) return undefined;
    if (seen.has(key)) return "redundant";
    seen.add(key);
    return undefined;
  });
}

function wordsIn(text: string): string | undefined {
  const words = wordsOf(text);
  return words.length < MIN_WORDS ? undefined : words.map(stemOf).sort().join(" ");
}

/** What a log line says but for what changes each time. */
function templateOf(line: string): string {
  return line
    .trim()
    .replace(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/gi, "#")
    .replace(/\b0x[0-9a-f]+\b/gi, "#")
    .replace(/\d+(?:[.:,\-T/]\d+)*(?:Z|ms|s|%|[kKMG]i?B)?\b/g, "#");
}

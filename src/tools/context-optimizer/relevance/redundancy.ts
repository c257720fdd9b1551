import { stemOf } from "../../../text/stems.ts";
import { wordsOf } from "../../../text/words.ts";
import type { Unit } from "../units.ts";

/** Why a unit is dropped before units with something new. */
export type Redundancy = "redundant" | "boilerplate";

const MIN_WORDS = 4;
const BOILERPLATE =
  /\b(?:all rights reserved|licen[sc]ed under the|permission is hereby granted|without warrant(?:y|ies) of any kind|spdx-license-identifier|cookie policy|accept (?:all )?cookies|subscribe to our newsletter|terms of (?:service|use)|privacy policy|click here to|sign up for free)\b|^\W*(?:copyright|©)\s*(?:\(c\)|©|\d{4})/i;

/**
 * Marks units that repeat an earlier one: with the same words except for case, inflection, order and punctuation. Log
 * lines may also differ in numbers, times and ids. Other kinds have to be equal.
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

/** Returns a log line without the parts that change each time. */
function templateOf(line: string): string {
  return line
    .trim()
    .replace(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/gi, "#")
    .replace(/\b0x[0-9a-f]+\b/gi, "#")
    .replace(/\d+(?:[.:,\-T/]\d+)*(?:Z|ms|s|%|[kKMG]i?B)?\b/g, "#");
}

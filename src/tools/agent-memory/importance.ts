import type { Kind } from "./memory.ts";

interface Sign {
  reason: string;
  pattern: RegExp;
  gain: number;
}

/** Signs in a text that it will matter later or, with a negative gain, that it will not. */
const SIGNS: readonly Sign[] = [
  {
    reason: "asks to be remembered",
    pattern: /\b(?:remember|don't forget|do not forget|keep in mind|note that|take note)\b/i,
    gain: 0.2,
  },
  {
    reason: "says that it is important",
    pattern: /\b(?:important|critical|crucial|essential|vital|urgent|must[- ]know|warning|caution)\b/i,
    gain: 0.2,
  },
  {
    reason: "sets a rule",
    pattern:
      /\b(?:always|never|must(?: not)?|required?|forbidden|mandatory|do not|don't|under no circumstances)\b/i,
    gain: 0.15,
  },
  {
    reason: "records a decision",
    pattern:
      /\b(?:decided|decision|agreed|we(?:'ll| will)|chose|chosen|going with|settled on|approved|rejected)\b/i,
    gain: 0.15,
  },
  {
    reason: "gives a reason",
    pattern: /\b(?:because|since|therefore|so that|in order to|due to|root cause|turned out)\b/i,
    gain: 0.05,
  },
  {
    reason: "states a preference",
    pattern: /\b(?:prefers?|favou?rites?|likes?|dislikes?|hates?|loves?|wants?|allergic|would rather)\b/i,
    gain: 0.1,
  },
  {
    reason: "is about a failure or a risk",
    pattern:
      /\b(?:errors?|bugs?|fail(?:s|ed|ure)?|crash(?:es|ed)?|broken?|outage|incident|vulnerab\w+|data loss|breach|deadlock|leaks?)\b/i,
    gain: 0.1,
  },
  {
    reason: "names a date, a deadline or a number",
    pattern:
      /\b(?:deadline|due|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}-\d{2}-\d{2}|v?\d+\.\d+|\d+ ?(?:ms|s|min|hours?|days?|weeks?|%|[kmgt]i?b|usd|eur))\b|[$€£]\s?\d/i,
    gain: 0.08,
  },
  {
    reason: "names a person, place or thing",
    pattern: /(?<=[\p{L}\p{N},;]\s)\p{Lu}[\p{L}\p{N}]+/u,
    gain: 0.05,
  },
  {
    reason: "names code, a path or an address",
    pattern: /`[^`]+`|\b[\w.-]+\/[\w./-]+|\b\w+\([^)]*\)|\b[a-z]+[A-Z]\w+|\b\w+_\w+/,
    gain: 0.07,
  },
  {
    reason: "is about life and health",
    pattern:
      /\b(?:birthday|wedding|married|divorced?|pregnan\w+|died|death|funeral|hospital|surgery|diagnos\w+|born|graduat\w+|promot(?:ed|ion)|hired|fired)\b/i,
    gain: 0.12,
  },
  {
    reason: "is small talk",
    pattern:
      /^\W*(?:hi|hey|hello|thanks?|thank you|ok(?:ay)?|yes|yeah|no|sure|cool|great|wow|bye|good (?:morning|night|evening)|see you|sounds good|lol|haha)\b/i,
    gain: -0.15,
  },
  { reason: "only asks", pattern: /^[^.!]*\?\s*$/, gain: -0.1 },
  {
    reason: "is uncertain",
    pattern: /\b(?:maybe|perhaps|might|possibly|not sure|i guess|probably)\b/i,
    gain: -0.05,
  },
];

const BASE: Readonly<Record<Kind, number>> = {
  fact: 0.35,
  decision: 0.5,
  preference: 0.45,
  procedure: 0.45,
  event: 0.3,
};
const FEW_WORDS = 5;
/** Characters that are searched for signs: what matters in a long text is said early. */
const LOOKED_AT = 4096;

/** Returns the importance from 0.05 to 1, in hundredths, with the reasons for and against it. */
export function scoreImportance(content: string, kind: Kind): { importance: number; reasons: string[] } {
  const text = content.slice(0, LOOKED_AT);
  let importance = BASE[kind];
  const reasons = kind === "fact" ? [] : [`is ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`];
  for (const { reason, pattern, gain } of SIGNS) {
    if (!pattern.test(text)) continue;
    importance += gain;
    reasons.push(reason);
  }
  if (text.split(/\s+/, FEW_WORDS + 1).length <= FEW_WORDS - 1) {
    importance -= 0.1;
    reasons.push("is very short");
  }
  // Never empty: without a reason, an importance is one that was given.
  if (reasons.length === 0) reasons.push("has no sign of importance");
  return { importance: Math.round(100 * Math.min(1, Math.max(0.05, importance))) / 100, reasons };
}

import { entropyOf } from "../../../text/entropy.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEXADECIMAL = /^(?:0x)?[0-9a-f]{16,256}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Whether a text looks randomly generated: letters and digits are mixed, unlike in a name or word. `least` is the
 * minimum length.
 */
export function looksGenerated(text: string, least: number): boolean {
  if (text.length < least || text.length > 512) return false;
  if (UUID.test(text)) return true;
  const digits = text.replace(/\D/g, "").length;
  if (digits === text.length) return digits >= 16 && entropyOf(text) >= 2.5;
  if (HEXADECIMAL.test(text)) return digits >= 2 && entropyOf(text) >= 2.5;
  if (/\s/.test(text)) return false;
  if (digits === 0) {
    const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text) && changes(text) >= text.length / 3;
    return isMixed && text.length >= 16 && !isMadeOfLongWords(text);
  }
  return entropyOf(text) >= 3 && !isMadeOfWords(text);
}

/** `Layout/EndAlignment`: in a random text, few words would be as long. */
function isMadeOfLongWords(text: string): boolean {
  const parts = text.split(/[^A-Za-z]{1,4}|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== "");
  const letters = parts.reduce((sum, { length }) => sum + length, 0);
  return (
    letters / parts.length >= MIN_OF_WORD &&
    parts.every((part) => /^(?:[A-Z][a-z]|[a-z]{2})[a-z]{0,19}$/.test(part))
  );
}

const MIN_OF_WORD = 4;

/** Counts how often case or kind changes from one character to the next, which is rare in words. */
function changes(text: string): number {
  let count = 0;
  for (let at = 1; at < text.length; at++) if (kindOf(text, at) !== kindOf(text, at - 1)) count++;
  return count;
}

function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return 0;
  if (code >= 97 && code <= 122) return 1;
  return code >= 65 && code <= 90 ? 2 : 3;
}

/** Whether a text is words joined by signs or capitals, with some numbers: `flutter-3.3.x`, `LOG4J_LEVEL`. */
function isMadeOfWords(text: string): boolean {
  const parts = text.split(/[^A-Za-z0-9]{1,4}|(?<=[a-z])(?=[A-Z])/).filter((part) => part !== "");
  const words = parts.filter((part) =>
    /^(?:[A-Z]?[a-z]{1,20}|[A-Z]{1,12}|\d{1,4}|\d{1,2}[a-z]{1,2}|v\d{1,3}|[a-z]{3,16}\d{1,2}[a-z]?|[A-Z]{3,16}\d{1,2}[A-Z]?|[A-Z][a-z]{2,16}\d{1,2})$/.test(
      part,
    ),
  );
  const others = parts.filter((part) => !words.includes(part));
  // `reverse_proxy.tls_h1_only`: one short name among words.
  const isShortName = others.length === 1 && /^[a-z]{1,2}\d{1,2}$/.test(others[0] as string);
  if (isShortName) return words.filter((word) => /^[A-Za-z]{3,}$/.test(word)).length >= 3;
  return others.length === 0 && parts.length > 1;
}

/** The fewest characters of a run, and the share of a value in runs, from which on somebody typed it to fill a place. */
const [MIN_RUN, MIN_COUNTED] = [3, 0.6];

/**
 * Whether most of a value counts up or repeats one character: `abc123def456`, `tr_0123456789abcdef`, `aaaaaaaaaaaa`. In random
 * characters such runs are rare.
 */
export function isCountedUp(value: string): boolean {
  let [counted, length] = [0, 1];
  let step: number | undefined;
  for (let at = 1; at <= value.length; at++) {
    const next = stepTo(value, at);
    if (next !== undefined && (length === 1 || next === step)) {
      step = next;
      length++;
      continue;
    }
    if (length >= MIN_RUN) counted += length;
    length = 1;
  }
  return value.length >= MIN_RUN + MIN_RUN && counted / value.length >= MIN_COUNTED;
}

/** Characters that people type behind one another though their codes do not follow. */
const FOLLOWING = new Set(["90", "9a", "9A", "f0", "F0", "z0", "Z0", "zA", "Za"]);

/** Returns 1 if a character counts up from the one before it, 0 if it repeats it. */
function stepTo(value: string, at: number): 0 | 1 | undefined {
  const difference = value.charCodeAt(at) - value.charCodeAt(at - 1);
  if (difference === 0) return 0;
  return difference === 1 || FOLLOWING.has(value.slice(at - 1, at + 1)) ? 1 : undefined;
}

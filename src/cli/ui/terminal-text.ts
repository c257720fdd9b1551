import { deviceBytes } from "../../system/random-device.ts";

/**
 * Sanitizes text for a terminal. Untrusted text (of a server, a file, a log, a name) may contain sequences that move
 * the cursor, fill the clipboard, hide or reorder text. Only this program's own styles get through, whose marks contain
 * a secret nonce.
 */

const ESCAPE = "\u001b[";
/** Moves the cursor up one line. */
export const LINE_UP = `${ESCAPE}1A`;
/** Clears from the cursor to the end of the screen. */
export const CLEAR_BELOW = `${ESCAPE}J`;

/**
 * ASCII and this program's own symbols. Most texts consist of these and need no sanitizing. Escaped, since a
 * non-ASCII character in the bundle costs every start a millisecond.
 */
const PLAIN = /^[\t\n -~\u00b7\u2026\u203a\u2500-\u28ff]*$/;

/** Invisible characters, except the joiners and variation selectors that emoji and some scripts need. */
const INVISIBLE = "(?![\\u200c\\u200d\\ufe00-\\ufe0f])\\p{Default_Ignorable_Code_Point}|[\\ufff9-\\ufffb]";
const CONTROLS = "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029]";
/** Characters that reorder text: embeddings, overrides and isolates (UAX #9). */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/** The patterns, compiled on first use. */
let made: { prefix: string; marks: RegExp; foreign: RegExp; hidden: RegExp } | undefined;

function patterns() {
  if (!made) {
    const prefix = `${ESCAPE}${secretNumber()};`;
    const mark = `${prefix.replace("[", "\\[")}[\\d;]+m`;
    made = {
      prefix,
      marks: new RegExp(mark, "g"),
      foreign: new RegExp(`${mark}|\\r\\n|${CONTROLS}|${INVISIBLE}`, "gu"),
      hidden: new RegExp(`${CONTROLS}|${INVISIBLE}`, "gu"),
    };
  }
  return made;
}

/** Returns the process's nonce. It is global, since the bundle for live drawing has its own copy of this module. */
function secretNumber(): string {
  const shared = globalThis as { [SECRET]?: string };
  shared[SECRET] ??= String(deviceBytes(8).readBigUInt64BE());
  return shared[SECRET];
}

const SECRET: unique symbol = Symbol.for("toolplane.style");

/** Returns the mark for the SGR sequence of these codes, such as `32`, which replaces it when the text is written. */
export function mark(codes: string): string {
  return `${patterns().prefix}${codes}m`;
}

/** Returns the text with its marks, but without other control, reordering and invisible characters. */
export function sanitized(text: string): string {
  if (PLAIN.test(text)) return text;
  const { prefix, foreign } = patterns();
  return text.replace(foreign, (found) => (found.startsWith(prefix) ? found : standIn(found)));
}

/** Returns the text as `sanitized` does, in one line. */
export function oneLine(text: string): string {
  return sanitized(text).replace(/[\t\n]+/g, " ");
}

/** Returns the visible text, without marks. */
export function withoutMarks(text: string): string {
  return PLAIN.test(text) ? text : sanitized(text).replace(patterns().marks, "");
}

/** Splits the text into marks and the parts between them. */
export function byMarks(text: string): { text: string; mark: boolean }[] {
  if (PLAIN.test(text)) return [{ text, mark: false }];
  const { prefix, marks } = patterns();
  return text
    .split(new RegExp(`(${marks.source})`))
    .filter((part) => part !== "")
    .map((part) => ({ text: part, mark: part.startsWith(prefix) }));
}

/** Returns the text as it is written: sanitized, with escape sequences in place of marks. */
export function withEscapes(text: string): string {
  return PLAIN.test(text) ? text : sanitized(text).replaceAll(patterns().prefix, ESCAPE);
}

/** Returns JSON of the same value, in which control and invisible characters are escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? "null");
}

/** Escapes such characters in JSON. They only occur in its strings, so the whole text can be searched. */
export function escapeJson(json: string): string {
  if (PLAIN.test(json)) return json;
  return json.replace(patterns().hidden, (found) =>
    [...Array(found.length).keys()]
      .map((index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

function standIn(found: string): string {
  if (found === "\r\n") return "\n";
  const code = found.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code < 0xa0 || code === 0x2028 || code === 0x2029 || REORDERING.test(found) ? "\ufffd" : "";
}

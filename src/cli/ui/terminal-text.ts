import { nonce } from "../../system/nonce.ts";

/**
 * Which characters reach a terminal. What others wrote (a server, a file, a log, a name) may hold
 * sequences that move the cursor, fill the clipboard, hide or reorder text. So nothing of the kind is
 * written but what our own style put in, which bears a number that nobody else can know.
 */

const ESCAPE = "\u001b[";
/** Moves the cursor. */
export const LINE_UP = `${ESCAPE}1A`;
/** From the cursor to the end of the screen. */
export const CLEAR_BELOW = `${ESCAPE}J`;

/**
 * ASCII and the symbols of our own, which most texts are made of: nothing is to be looked for in them. Escaped,
 * since one letter beyond ASCII in the bundle costs every start a millisecond.
 */
const PLAIN = /^[\t\n -~\u00b7\u2026\u203a\u2500-\u28ff]*$/;

/** Emoji and some scripts need joiners and variation selectors; everything else that shows nothing goes. */
const INVISIBLE = "(?![\\u200c\\u200d\\ufe00-\\ufe0f])\\p{Default_Ignorable_Code_Point}|[\\ufff9-\\ufffb]";
const CONTROLS = "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029]";
/** What reorders text on its way to the eye: embeddings, overrides and isolates (UAX #9). */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/** Made when the first text needs them. */
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

/** One for the process: what draws live is a bundle of its own, with its own copy of this module. */
function secretNumber(): string {
  const shared = globalThis as { [SECRET]?: string };
  shared[SECRET] ??= nonce();
  return shared[SECRET];
}

const SECRET: unique symbol = Symbol.for("toolplane.style");

/** Stands for the SGR sequence of these codes, such as `32`, until the text is written. */
export function mark(codes: string): string {
  return `${patterns().prefix}${codes}m`;
}

/** The text with its marks, but with nothing else that a terminal obeys, reorders or hides. */
export function harmless(text: string): string {
  if (PLAIN.test(text)) return text;
  const { prefix, foreign } = patterns();
  return text.replace(foreign, (found) => (found.startsWith(prefix) ? found : standIn(found)));
}

/** As `harmless`, in one line. */
export function oneLine(text: string): string {
  return harmless(text).replace(/[\t\n]+/g, " ");
}

/** The text without marks: what people see of it. */
export function shown(text: string): string {
  return PLAIN.test(text) ? text : harmless(text).replace(patterns().marks, "");
}

/** The text in parts: marks, and what stands between them. */
export function byMarks(text: string): { text: string; mark: boolean }[] {
  if (PLAIN.test(text)) return [{ text, mark: false }];
  const { prefix, marks } = patterns();
  return text
    .split(new RegExp(`(${marks.source})`))
    .filter((part) => part !== "")
    .map((part) => ({ text: part, mark: part.startsWith(prefix) }));
}

/** What is written: harmless, and styled by us alone. */
export function rendered(text: string): string {
  return PLAIN.test(text) ? text : harmless(text).replaceAll(patterns().prefix, ESCAPE);
}

/** JSON that a terminal can be shown: what `rendered` takes away is escaped, and the value is the same. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? "null");
}

/** Outside of its strings JSON has no such characters, so that all of the text can be treated alike. */
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

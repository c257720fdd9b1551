import { wordsOf } from "../syntax/words.ts";
import { isUuid } from "./randomness.ts";

/** The separator before a parameter of an address, also in its escaped forms. */
const BEFORE = /(?:[?&]|&amp;|\\u0026)$/;
/** Names of parameters that grant access, whatever their values look like. */
const STRONG =
  /(?:secret|password|passwd|pwd|(?:api|app|access|secret|private|master|account|subscription|function)key|(?:access|api|auth|bearer|refresh|session)token|sig|signature)$/;

/** The id of a client of Google's sign-in, which every page that offers it shows. */
export const GOOGLE_CLIENT = /^\d{6,14}-\w{2,40}\.apps\.googleusercontent\.com$/;

/** Whether a name on a line is that of a parameter of an address: `?alt=media&token=`. */
export function isParameter(line: string, start: number): boolean {
  return BEFORE.test(line.slice(Math.max(0, start - 6), start));
}

/** Whether a value is an identifier that is as public as its address, such as a download's: `&token=506faab0-…`. */
export function isPublicIdentifier(name: string, value: string): boolean {
  return isUuid(value) && !STRONG.test(wordsOf(name).join(""));
}

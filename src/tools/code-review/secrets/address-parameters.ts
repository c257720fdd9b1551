import { wordsOf } from "../syntax/words.ts";
import { isUuid } from "./randomness.ts";

/** Behind which a parameter of an address begins, also as markup writes it. */
const BEFORE = /(?:[?&]|&amp;|\\u0026)$/;
/** Parameters that give access by what they are called, whatever their value looks like. */
const STRONG =
  /(?:secret|password|passwd|pwd|(?:api|app|access|secret|private|master|account|subscription|function)key|(?:access|api|auth|bearer|refresh|session)token|sig|signature)$/;

/** Whether a name on a line is a parameter's of an address: `?alt=media&token=`. */
export function isParameter(line: string, start: number): boolean {
  return BEFORE.test(line.slice(Math.max(0, start - 6), start));
}

/** `&token=506faab0-…`: an identifier that a download's address was given, public as the address itself. */
export function isPublicIdentifier(name: string, value: string): boolean {
  return isUuid(value) && !STRONG.test(wordsOf(name).join(""));
}

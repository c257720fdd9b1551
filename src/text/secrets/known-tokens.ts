import { isExampleToken } from "./placeholder.ts";
import { SHAPES, TOKEN_FORMATS, type TokenFormat } from "./token-formats.ts";

export interface FoundSecret {
  column: number;
  text: string;
  /** Description for the message: `a credential of GitHub`. */
  what: string;
  /** Whether the text is no secret itself, but shows that the file holds one. */
  isMark?: boolean;
}

/** Formats by the codes of the first two characters of their prefix, which are ASCII. */
const byPrefix: (TokenFormat[] | undefined)[] = new Array(128 * 128);
for (const format of TOKEN_FORMATS) {
  const key = keyAt(format.prefix, 0);
  byPrefix[key] = [...(byPrefix[key] ?? []), format];
}

function keyAt(text: string, at: number): number {
  return text.charCodeAt(at) * 128 + text.charCodeAt(at + 1);
}

/** Finds credentials that are recognisable by their format alone. */
export function knownTokens(line: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let at = 0; at + 12 < line.length; at++) {
    if (at > 0 && isAlphanumeric(line.charCodeAt(at - 1))) continue;
    const formats = byPrefix[keyAt(line, at)];
    if (!formats) continue;
    const format = formats.find(({ prefix, rest }) => {
      if (!line.startsWith(prefix, at)) return false;
      rest.lastIndex = at + prefix.length;
      return rest.test(line);
    });
    if (!format) continue;
    const text = line.slice(at, format.rest.lastIndex);
    if (!isRepetition(text.slice(format.prefix.length)) && !isExampleToken(text))
      found.push({ column: at, text, what: whatOf(format.issuer) });
    at = format.rest.lastIndex - 1;
  }
  for (const { issuer, hint, shape, isMark } of SHAPES) {
    if (!line.includes(hint)) continue;
    for (const match of line.matchAll(shape)) {
      found.push({ column: match.index, text: match[0], what: whatOf(issuer), ...(isMark && { isMark }) });
    }
  }
  return found;
}

function whatOf(issuer: string): string {
  if (issuer.startsWith("a ")) return issuer.replace(/^a /, "an entry of a ");
  return /^(?:JSON|Google service)/.test(issuer) ? `a ${issuer}` : `a credential of ${issuer}`;
}

/** Whether a text repeats at most three characters, as placeholders do: `XXXXXXXX`, `abababab`. */
export function isRepetition(text: string): boolean {
  return new Set(text.toLowerCase().replace(/[^a-z0-9]/g, "")).size <= 3;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const SIMPLE: Record<string, number> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/**
 * Reads a path in double quotes, as git writes one with bytes that are not printable ASCII: with C escapes, octal
 * for each byte of its UTF-8 (core.quotePath).
 *
 * @returns undefined if the closing quote is missing.
 */
export function readQuotedPath(text: string): string | undefined {
  const bytes: number[] = [];
  for (let at = 1; at < text.length; at++) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (character === '"') return Buffer.from(bytes).toString("utf8");
    if (character !== "\\") {
      bytes.push(...Buffer.from(character, "utf8"));
      at += character.length - 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const next = text[at + 1] ?? "";
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(SIMPLE[next] ?? next.charCodeAt(0));
    at += octal ? 3 : 1;
  }
  return undefined;
}

import type { Lexis } from "./lexis.ts";

/**
 * Returns how many characters at the start of a hunk are not code, but the rest of a comment or of a multi-line
 * string that began above it.
 */
export function textBeforeCode(text: string, lexis: Lexis): number {
  const [open, close] = lexis.blockComments.find(([sign]) => sign === "/*") ?? [];
  if (open && close) {
    const stars = starredLines(text);
    if (stars > 0) return stars;
    const end = text.indexOf(close);
    const begin = text.indexOf(open);
    if (end >= 0 && (begin < 0 || begin > end) && /^[ \t]*(?:\n|$)/.test(text.slice(end + 2, end + 80))) {
      return end + close.length;
    }
  }
  for (const { open, close, multiline } of lexis.strings) {
    if (!multiline || (open !== "`" && open.length < 3) || open !== close) continue;
    const inside = restOfString(text, open);
    if (inside > 0) return inside;
  }
  return 0;
}

/** Returns the length of the leading lines that begin with a star, as those of documentation comments do. */
function starredLines(text: string): number {
  let end = 0;
  for (let line = 0; line < text.length; line = end) {
    const next = text.indexOf("\n", line);
    const stop = next < 0 ? text.length : next + 1;
    const content = text.slice(line, stop).trim();
    if (!/^\*(?:\s|\/|$)/.test(content)) break;
    end = stop;
    if (content.includes("*/")) break;
  }
  return end;
}

/**
 * Returns the length of the rest of a string that began above the hunk. With an odd number of quotes, one of a
 * pair is cut off. The first quote is then the closing one, unless the text before it can precede a string.
 */
function restOfString(text: string, quote: string): number {
  let count = 0;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + quote.length)) {
    if (text[at - 1] !== "\\") count++;
  }
  if (count % 2 === 0) return 0;
  const first = text.indexOf(quote);
  const before = text.slice(Math.max(0, first - 200), first);
  const lineBefore = before.slice(before.lastIndexOf("\n") + 1);
  // The colon in this pattern covers a docstring at the start of the hunk, behind the line of its `def`.
  if (
    /[=(,+:[{?|&>]\s*$|\breturn\s*$|^[\w.]+$/.test(lineBefore.trim() === "" ? before.trimEnd() : lineBefore)
  )
    return 0;
  return first + quote.length;
}

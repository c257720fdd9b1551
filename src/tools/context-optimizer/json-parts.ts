import { lineStarts } from "./lines.ts";

/** Lines on the average longer than this are no lines to read. */
const MINIFIED = 300;
const DEEPEST = 3;

/** Lines; where there are hardly any, behind the commas of the outer levels. */
export function jsonStarts(text: string): number[] {
  const lines = lineStarts(text);
  if (text.length / lines.length <= MINIFIED) return lines;
  const starts = [0];
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    else if (character === "," && depth <= DEEPEST && at + 1 < text.length) starts.push(at + 1);
  }
  return starts;
}

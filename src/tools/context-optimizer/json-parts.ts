import { lineStarts } from "./lines.ts";

/** Average length of lines above which JSON counts as minified. */
const MINIFIED = 300;
const DEEPEST = 3;

/** Returns the starts of lines; in minified JSON, those of what follows the commas of the outer levels. */
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

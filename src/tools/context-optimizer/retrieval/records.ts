/**
 * Returns the starts of the records of a JSON text, and 0. Records are the objects of the outermost list of objects, or
 * the lines of JSON lines, each with what separates it from the next. The text is not parsed: it may be cut off, or be
 * many texts in a row.
 */
export function recordStarts(text: string): number[] {
  const starts = [0];
  let level = 0;
  /** Number of brackets open around a record, once one was found. */
  let outer: number | undefined;
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") {
      const isFirst = character === "{" && (before === "[" || (level === 0 && before === "}"));
      if (isFirst) outer ??= level;
      if (character === "{" && level === outer && (isFirst || before === ",")) starts.push(at);
      level++;
    } else if (character === "}" || character === "]") level--;
    if (!/\s/.test(character)) before = character;
  }
  return starts;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

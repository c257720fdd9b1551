/** The bounds of one import, well below the largest body. */
const MAX_ITEMS = 50_000;
const MAX_CHARACTERS = 16 << 20;

/** The items of one call. */
export interface Part {
  /** The index of the first item. */
  start: number;
  count: number;
  /** NDJSON: one line per item, which is the only member of an object. */
  text: string;
}

/** Yields the items in order, in as few parts as possible. A generator, since the parts together may be large. */
export function* partsOf(member: string, items: readonly unknown[]): Generator<Part> {
  let lines: string[] = [];
  let start = 0;
  let characters = 0;
  for (const [index, item] of items.entries()) {
    const line = `${JSON.stringify({ [member]: item })}\n`;
    if (lines.length === MAX_ITEMS || (lines.length > 0 && characters + line.length > MAX_CHARACTERS)) {
      yield { start, count: lines.length, text: lines.join("") };
      lines = [];
      start = index;
      characters = 0;
    }
    lines.push(line);
    characters += line.length;
  }
  if (lines.length > 0) yield { start, count: lines.length, text: lines.join("") };
}

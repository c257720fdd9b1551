/** What one import may hold, and well below what its body may be long. */
const MAX_ITEMS = 50_000;
const MAX_CHARACTERS = 16 << 20;

/** Items as lines that go in one call. */
export interface Part {
  /** Index of the first. */
  start: number;
  count: number;
  /** NDJSON: each item a line, as the only member of an object. */
  text: string;
}

/** In order, in as few parts as may be sent; one at a time, since all together can be long. */
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

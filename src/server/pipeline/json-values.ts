const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Whether a JSON text has more than `most` arrays, objects and commas, which is what parsing it costs: a text
 * of a few long strings takes a moment, one of as many bytes in empty arrays seconds. Stops where it knows.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  return excessOf(json, { values: most }) !== undefined;
}

/** Which bound a JSON text goes over first: on its values, as `holdsMoreValues` counts them, or on their depth. */
export function excessOf(
  json: Buffer,
  { values, levels = Number.POSITIVE_INFINITY }: { values: number; levels?: number },
): "values" | "levels" | undefined {
  let count = 0;
  let level = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case BRACKET:
      case BRACE:
        if (++level > levels) return "levels";
        if (++count > values) return "values";
        break;
      case COMMA:
        if (++count > values) return "values";
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        level--;
        break;
    }
  }
  return undefined;
}

/** Looked at one by one between two searches: to search for each of a million escaped quotes takes a tenth of a second. */
const STRIDE = 1024;

/** The place of the quote that ends the string which begins at `start`, or the end of the text. */
function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length) {
    for (const end = Math.min(at + STRIDE, json.length); at < end; at++) {
      const byte = json[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at++;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    // Whether that one is escaped is told by what stands right before it, as far back as backslashes go.
    let backslashes = 0;
    while (quote - backslashes > at && json[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
  return json.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Whether a JSON text has more than `most` arrays, objects and commas, which determine the cost of parsing: a few long
 * strings parse in a moment, as many bytes of empty arrays take seconds. Stops as soon as the result is known.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  return excessOf(json, { values: most }) !== undefined;
}

/**
 * Returns the bound that a JSON text exceeds first: of its values, counted as `holdsMoreValues` does, or of its depth.
 */
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

/** Bytes scanned one by one between two searches. Searching for each of a million escaped quotes takes 0.1 s. */
const STRIDE = 1024;

/** Returns the index of the quote that ends the string beginning at `start`, or the end of the text. */
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
    // It is escaped if an odd number of backslashes precedes it.
    let backslashes = 0;
    while (quote - backslashes > at && json[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
  return json.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether a JSON text has more than `most` arrays, objects and commas, which is what parsing it costs: a text
 * of a few long strings takes a moment, one of as many bytes in empty arrays seconds. Stops where it knows.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++count > most) return true;
  }
  return false;
}

/** The place of the quote that ends the string which begins at `start`, or the end of the text. */
function endOfString(json: Buffer, start: number): number {
  for (let quote = json.indexOf(QUOTE, start + 1); quote >= 0; quote = json.indexOf(QUOTE, quote + 1)) {
    let first = quote;
    while (json[first - 1] === BACKSLASH) first--;
    // Backslashes escape each other; an odd one escapes the quote.
    if ((quote - first) % 2 === 0) return quote;
  }
  return json.length;
}

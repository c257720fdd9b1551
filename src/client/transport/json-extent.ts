/** A document up to this size takes little memory, whatever it contains. */
const HARMLESS_BYTES = 1 << 20;
/** Bounds memory: an empty object takes twenty times the two bytes of its text. */
const MAX_VALUES = 5_000_000;
const MAX_DEPTH = 1000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Returns why a JSON document must not be parsed, as a phrase that follows "JSON"; undefined if it may be. */
export function excessOf(json: Uint8Array): string | undefined {
  if (json.length <= HARMLESS_BYTES) return undefined;
  let values = 1;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) {
      values++;
      depth++;
    } else if (CLOSING.has(byte)) depth--;
    if (values > MAX_VALUES) return `of more than ${MAX_VALUES / 1e6} million values`;
    if (depth > MAX_DEPTH) return `of more than ${MAX_DEPTH} levels`;
  }
}

/** Returns the index of the quote that ends the string starting at `from`. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

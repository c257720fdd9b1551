/** A document of so many bytes takes little memory, whatever is in it. */
const HARMLESS_BYTES = 1 << 20;
/** An object of nothing takes twenty times the two bytes that it is written in. */
const MAX_VALUES = 5_000_000;
const MAX_DEPTH = 1000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Why a JSON document is not to be parsed, in words that follow "JSON"; undefined where it may be. */
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

/** Where the string that begins at `from` ends. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

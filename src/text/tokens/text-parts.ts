/**
 * Splits a text into parts of at most `most` characters (at least two), where possible before a space that follows
 * another character. No piece of either tokenizer spans such a boundary.
 */
export function* partsOf(text: string, most: number): Generator<string> {
  let at = 0;
  while (text.length - at > most) {
    const end = boundaryIn(text, at, at + most) ?? at + most - (splitsPair(text, at + most) ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
  yield text.slice(at);
}

/** Returns the last position in (`from`, `to`] where a space follows a non-space. */
function boundaryIn(text: string, from: number, to: number): number | undefined {
  for (let at = text.lastIndexOf(" ", to); at > from; at = text.lastIndexOf(" ", at - 1)) {
    if (/\S/.test(text.charAt(at - 1))) return at;
  }
  return undefined;
}

function splitsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

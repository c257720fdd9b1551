/**
 * A text in parts of at most so many characters (two at least), each but the first beginning with a space behind
 * something else, wherever there is one: no piece of either tokenizer goes on there.
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

/** The last place in (`from`, `to`] where a space follows what is none. */
function boundaryIn(text: string, from: number, to: number): number | undefined {
  for (let at = text.lastIndexOf(" ", to); at > from; at = text.lastIndexOf(" ", at - 1)) {
    if (/\S/.test(text.charAt(at - 1))) return at;
  }
  return undefined;
}

function splitsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

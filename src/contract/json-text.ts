/** Sent at a stretch, so that a large answer neither fills memory nor comes in crumbs. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * The JSON text of an object that is too large to be made at once, piece by piece. A member that is an
 * iterator is written as an array of what it gives, one that is a function as what that returns once
 * its turn has come.
 */
export async function* jsonText(members: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let piece = "{";
  let mark = "";
  for (const [name, value] of Object.entries(members)) {
    piece += `${mark}${JSON.stringify(name)}:`;
    mark = ",";
    if (!isIterator(value)) {
      piece += JSON.stringify(typeof value === "function" ? value() : value);
      continue;
    }
    let comma = "[";
    for await (const item of value) {
      piece += comma + JSON.stringify(item);
      comma = ",";
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      piece = "";
    }
    piece += comma === "[" ? "[]" : "]";
  }
  yield `${piece}}`;
}

function isIterator(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  return typeof value === "object" && value !== null && "next" in value;
}

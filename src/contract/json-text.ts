/** Sent at a stretch, so that a large answer neither fills memory nor comes in crumbs. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * The JSON text of an object that is too large to be made at once, piece by piece. A member that is an
 * iterator gives an array in parts, each an array itself; one that is a function is written as what it
 * returns once its turn has come.
 */
export async function* jsonText(members: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let piece = "";
  let mark = "{";
  for (const [name, value] of Object.entries(members)) {
    piece += `${mark}${JSON.stringify(name)}:`;
    mark = ",";
    if (!givesParts(value)) {
      piece += JSON.stringify(typeof value === "function" ? value() : value);
      continue;
    }
    let comma = "[";
    for await (const part of value) {
      for (const item of part) {
        piece += comma + JSON.stringify(item);
        comma = ",";
        if (piece.length < PIECE_CHARACTERS) continue;
        yield piece;
        piece = "";
        // A reader that is as fast as we are would let nobody else have a turn.
        await new Promise(setImmediate);
      }
    }
    piece += comma === "[" ? "[]" : "]";
  }
  yield mark === "{" ? "{}" : `${piece}}`;
}

type Parts = AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>;

function givesParts(value: unknown): value is Parts {
  return typeof value === "object" && value !== null && "next" in value;
}

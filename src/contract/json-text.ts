import { othersFirst } from "../system/others-first.ts";

/** Characters sent in one piece, so that a large answer neither fills memory nor is sent in tiny chunks. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Yields the JSON text of an object that is too large to serialise at once, piece by piece. A member that is an
 * iterator becomes an array: each of its parts is an array of elements. A member that is a function is called when
 * its turn comes, and its result is written.
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
        // Without this, a fast reader would keep the event loop busy and block all other requests.
        await othersFirst();
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

import { othersFirst } from "../system/others-first.ts";

/** Characters sent in one piece, so that a large answer neither fills memory nor is sent in tiny chunks. */
const PIECE_CHARACTERS = 64 * 1024;
/** A longer string is written in slices of this length, each of which has up to six times as many characters as JSON. */
const SLICE_CHARACTERS = 16 * 1024;

let lastTurn = Promise.resolve();

/** Resolves in a turn of the event loop in which no other long answer goes on: many take no more of it than one. */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(othersFirst);
  return lastTurn;
}

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
        piece += comma;
        comma = ",";
        for (const text of textsOf(item)) {
          piece += text;
          if (piece.length < PIECE_CHARACTERS) continue;
          yield piece;
          piece = "";
          // Without this, a fast reader would keep the event loop busy and block all other requests.
          await nextTurn();
        }
      }
    }
    piece += comma === "[" ? "[]" : "]";
  }
  yield mark === "{" ? "{}" : `${piece}}`;
}

type Parts = AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>;

/** Yields the JSON text of a value, in more than one part if a string within it is long. */
function* textsOf(value: unknown): Generator<string> {
  if (!holdsLongString(value)) yield JSON.stringify(value) ?? "null";
  else if (typeof value === "string") yield* slicesOf(value);
  else if (Array.isArray(value)) {
    yield "[";
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ",";
      yield* textsOf(item);
    }
    yield "]";
  } else {
    let mark = "{";
    for (const [name, member] of Object.entries(value as object)) {
      if (member === undefined) continue;
      yield `${mark}${JSON.stringify(name)}:`;
      yield* textsOf(member);
      mark = ",";
    }
    yield "}";
  }
}

/** Divides items into parts of at most so many characters, or one item, to be read and written one after the other. */
export function inParts<T extends { size: number }>(items: readonly T[], maxCharacters: number): T[][] {
  const parts: T[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const item of items) {
    if (characters + item.size > maxCharacters) {
      parts.push([]);
      characters = 0;
    }
    (parts.at(-1) as T[]).push(item);
    characters += item.size;
  }
  return parts;
}

function* slicesOf(text: string): Generator<string> {
  yield '"';
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + SLICE_CHARACTERS;
    // A character of two code units stays whole.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
  }
  yield '"';
}

function holdsLongString(value: unknown): boolean {
  if (typeof value === "string") return value.length > SLICE_CHARACTERS;
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) if (holdsLongString((value as Record<string, unknown>)[name])) return true;
  return false;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function givesParts(value: unknown): value is Parts {
  return typeof value === "object" && value !== null && "next" in value;
}

import { join } from "node:path";
import { packageRoot } from "../../system/package.ts";
import { mergedLength } from "./merge.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

/**
 * Counts the tokens of a text exactly as the model's tokenizer makes them. Where a million characters stand
 * without a space they are counted in two, which can be a token or two more.
 */
export interface Tokenizer {
  count(text: string): number;
}

export const TOKENIZERS = ["o200k_base", "cl100k_base"] as const;
export type TokenizerName = (typeof TOKENIZERS)[number];

const MAX_REMEMBERED = 100_000;
const MAX_REMEMBERED_LENGTH = 64;
/** Characters: the stack of a regular expression that goes back ends at some five million. */
const MAX_AT_ONCE = 1_000_000;
const loaded = new Map<TokenizerName, Promise<Tokenizer>>();

/** Once a thread; what failed is tried anew. */
export function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  const known = loaded.get(name);
  if (known) return known;
  const tokenizer = load(name);
  loaded.set(name, tokenizer);
  tokenizer.catch(() => loaded.delete(name));
  return tokenizer;
}

async function load(name: TokenizerName): Promise<Tokenizer> {
  const { tokenSplitRegex } =
    name === "o200k_base"
      ? (await import("gpt-tokenizer/encodingParams/o200k_base")).O200KBase([])
      : (await import("gpt-tokenizer/encodingParams/cl100k_base")).Cl100KBase([]);
  return createTokenizer(
    await readVocabulary(join(packageRoot, "dist", `${name}.tiktoken.gz`)),
    tokenSplitRegex,
  );
}

/**
 * Byte pair encoding over the package's vocabularies. The package's own merging takes time that grows with
 * the square of a piece, and a megabyte of Chinese without a full stop is one piece.
 */
function createTokenizer(vocabulary: Vocabulary, pieces: RegExp): Tokenizer {
  const remembered = new Map<string, number>();

  function countPiece(piece: string): number {
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const count = mergedLength(Buffer.from(piece), vocabulary);
    if (piece.length <= MAX_REMEMBERED_LENGTH) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(piece, count);
    }
    return count;
  }

  return {
    count(text) {
      let count = 0;
      for (const part of partsOf(text, MAX_AT_ONCE)) {
        for (const piece of part.match(pieces) ?? []) count += countPiece(piece);
      }
      return count;
    },
  };
}

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

import { join } from "node:path";
import { packageRoot } from "../../system/package.ts";
import { mergedLength } from "./merge.ts";
import { partsOf } from "./text-parts.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

/**
 * Counts the tokens of a text exactly like the model's tokenizer. A million characters without a space are counted in
 * two parts, which can add a token or two.
 */
export interface Tokenizer {
  count(text: string): number;
}

export const TOKENIZERS = ["o200k_base", "cl100k_base"] as const;
export type TokenizerName = (typeof TOKENIZERS)[number];

const MAX_REMEMBERED = 100_000;
const MAX_REMEMBERED_LENGTH = 64;
/** In characters. A backtracking regular expression overflows its stack at about five million. */
const MAX_AT_ONCE = 1_000_000;
const loaded = new Map<TokenizerName, Promise<Tokenizer>>();

/** Loads a tokenizer once per thread. A failed load is retried on the next call. */
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
    await readVocabulary(join(packageRoot, "dist", `${name}.vocabulary.br`)),
    tokenSplitRegex,
  );
}

/**
 * Byte pair encoding over the package's vocabularies. The package's own merging is quadratic in the length of a
 * piece, and a megabyte of Chinese without a full stop is a single piece.
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

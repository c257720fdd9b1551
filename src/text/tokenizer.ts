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

/** Loading takes a fifth of a second; once a thread. */
export function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  const tokenizer = loaded.get(name) ?? load(name);
  loaded.set(name, tokenizer);
  return tokenizer;
}

async function load(name: TokenizerName): Promise<Tokenizer> {
  if (name === "o200k_base") {
    const [{ default: vocabulary }, { O200KBase }] = await Promise.all([
      import("gpt-tokenizer/bpeRanks/o200k_base"),
      import("gpt-tokenizer/encodingParams/o200k_base"),
    ]);
    return createTokenizer(vocabulary, O200KBase(vocabulary).tokenSplitRegex);
  }
  const [{ default: vocabulary }, { Cl100KBase }] = await Promise.all([
    import("gpt-tokenizer/bpeRanks/cl100k_base"),
    import("gpt-tokenizer/encodingParams/cl100k_base"),
  ]);
  return createTokenizer(vocabulary, Cl100KBase(vocabulary).tokenSplitRegex);
}

/**
 * Byte pair encoding over the package's vocabularies. The package's own merging takes time that grows with
 * the square of a piece, and a megabyte of Chinese without a full stop is one piece.
 *
 * @param vocabulary by rank: the text of a token, or its bytes.
 */
function createTokenizer(
  vocabulary: readonly (string | readonly number[] | undefined)[],
  pieces: RegExp,
): Tokenizer {
  /** Bytes as a string of characters up to U+00FF. */
  const ranks = new Map<string, number>();
  for (const [rank, token] of vocabulary.entries()) {
    if (token !== undefined) ranks.set(bytesOf(token), rank);
  }
  const remembered = new Map<string, number>();

  function countPiece(piece: string): number {
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const bytes = bytesOf(piece);
    const count = ranks.has(bytes) ? 1 : mergedLength(bytes, ranks);
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

function bytesOf(token: string | readonly number[]): string {
  return Buffer.from(token as string).toString("latin1");
}

/** In how many tokens the merges end: the lowest rank first, the leftmost of equal ones. */
function mergedLength(bytes: string, ranks: ReadonlyMap<string, number>): number {
  const size = bytes.length;
  const next = Int32Array.from({ length: size + 1 }, (_, at) => at + 1);
  const previous = Int32Array.from({ length: size + 1 }, (_, at) => at - 1);
  const rankAt = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
  const heap: number[] = [];
  const rankOfPair = (at: number): number => {
    const second = next[at] as number;
    if (second >= size) return Number.POSITIVE_INFINITY;
    return ranks.get(bytes.slice(at, next[second])) ?? Number.POSITIVE_INFINITY;
  };
  const consider = (at: number): void => {
    const rank = rankOfPair(at);
    rankAt[at] = rank;
    if (rank < Number.POSITIVE_INFINITY) push(heap, rank * (size + 1) + at);
  };
  for (let at = 0; at < size; at++) consider(at);
  let count = size;
  while (heap.length > 0) {
    const entry = pop(heap);
    const at = entry % (size + 1);
    if (rankAt[at] !== (entry - at) / (size + 1)) continue;
    const gone = next[at] as number;
    rankAt[gone] = Number.POSITIVE_INFINITY;
    const after = next[gone] as number;
    next[at] = after;
    previous[after] = at;
    count--;
    consider(at);
    if ((previous[at] as number) >= 0) consider(previous[at] as number);
  }
  return count;
}

function push(heap: number[], entry: number): void {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] as number) <= entry) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: number[]): number {
  const first = heap[0] as number;
  const last = heap.pop() as number;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= last) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = last;
  return first;
}

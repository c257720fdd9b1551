import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

const NEWLINE = 10;
const SPACE = 32;
const PADDING = 61;
/** What the characters of Base64 stand for, by their codes (RFC 4648, section 4). */
const DIGITS = new Uint8Array(128);
for (const [digit, character] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  DIGITS[character.charCodeAt(0)] = digit;
}
const NONE = -1;

/** By rank, the bytes of each token of a byte pair encoding. */
export interface Vocabulary {
  /** Of the token that is the bytes from `from` up to `to`; infinite where there is none. */
  rankOf(bytes: Uint8Array, from: number, to: number): number;
}

/**
 * Of a file as tiktoken publishes them, packed: a line for each token, its bytes in Base64, a space, and its rank.
 *
 * @param file whose ranks count up from nought, as those of tiktoken do until their special tokens.
 */
export async function readVocabulary(file: string): Promise<Vocabulary> {
  const { bytes, starts } = tokensOf(unpacked(await readFile(file), file));
  return tableOf(bytes, starts);
}

/** A checksum at the end of the file tells that it is whole. */
function unpacked(packed: Uint8Array, file: string): Uint8Array {
  try {
    return gunzipSync(packed);
  } catch (cause) {
    throw new Error(`${file} is damaged: install the package again.`, { cause });
  }
}

/** The bytes of all tokens in a row, and where each begins; the last number is where they end. */
interface Tokens {
  bytes: Uint8Array;
  starts: Uint32Array;
}

/** Decodes in place: 200,000 strings on the way would take most of the time of loading. */
function tokensOf(lines: Uint8Array): Tokens {
  const bytes = new Uint8Array(lines.length);
  const starts: number[] = [0];
  let end = 0;
  for (let at = 0; at < lines.length; at = lines.indexOf(NEWLINE, at) + 1 || lines.length) {
    let bits = 0;
    let held = 0;
    for (; lines[at] !== SPACE && lines[at] !== PADDING; at++) {
      bits = (bits << 6) | (DIGITS[lines[at] as number] as number);
      held += 6;
      if (held < 8) continue;
      held -= 8;
      bytes[end++] = bits >> held;
    }
    starts.push(end);
  }
  return { bytes: bytes.slice(0, end), starts: Uint32Array.from(starts) };
}

/**
 * A hash table with open addressing in typed arrays: 4 MB for 200,000 tokens, where a `Map` of strings takes 40
 * and the time of the collector with it.
 */
function tableOf(bytes: Uint8Array, starts: Uint32Array): Vocabulary {
  const size = 2 ** Math.ceil(Math.log2(2 * starts.length));
  const ranks = new Int32Array(size).fill(NONE);

  function slotOf(text: Uint8Array, from: number, to: number): number {
    let slot = hashOf(text, from, to) & (size - 1);
    for (;;) {
      const rank = ranks[slot] as number;
      if (rank === NONE || isToken(rank, text, from, to)) return slot;
      slot = (slot + 1) & (size - 1);
    }
  }

  function isToken(rank: number, text: Uint8Array, from: number, to: number): boolean {
    const start = starts[rank] as number;
    if ((starts[rank + 1] as number) - start !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (text[at] !== bytes[start + at - from]) return false;
    }
    return true;
  }

  let longest = 0;
  for (let rank = 0; rank + 1 < starts.length; rank++) {
    const [from, to] = [starts[rank] as number, starts[rank + 1] as number];
    ranks[slotOf(bytes, from, to)] = rank;
    longest = Math.max(longest, to - from);
  }

  return {
    rankOf(text, from, to) {
      if (to - from > longest) return Number.POSITIVE_INFINITY;
      const rank = ranks[slotOf(text, from, to)] as number;
      return rank === NONE ? Number.POSITIVE_INFINITY : rank;
    },
  };
}

/** FNV-1a, whose lower bits are mixed once more: its short inputs differ in few of them. */
function hashOf(text: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (text[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

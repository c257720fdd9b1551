import { readFile } from "node:fs/promises";
import { brotliDecompressSync, crc32 } from "node:zlib";

const NONE = -1;
const CHECKSUM_BYTES = 4;

/** The tokens of a byte pair encoding and their ranks. */
export interface Vocabulary {
  /** Returns the rank of the token with the bytes from `from` up to `to`; infinity if it does not exist. */
  rankOf(bytes: Uint8Array, from: number, to: number): number;
}

/**
 * Reads a file packed by `scripts/vocabulary.js`: a checksum of four bytes, then compressed the length of each token
 * in one byte, in the order of their ranks, a zero, and the bytes of all tokens.
 */
export async function readVocabulary(file: string): Promise<Vocabulary> {
  const unpacked = unpack(await readFile(file), file);
  const tokens = unpacked.indexOf(0);
  return tableOf(unpacked.subarray(tokens + 1), startsOf(unpacked.subarray(0, tokens)));
}

function unpack(packed: Buffer, file: string): Uint8Array {
  try {
    const bytes = brotliDecompressSync(packed.subarray(CHECKSUM_BYTES));
    if (crc32(bytes) === packed.readUInt32BE()) return bytes;
    throw new Error("its checksum is another");
  } catch (cause) {
    throw new Error(`${file} is damaged: install the package again.`, { cause });
  }
}

/** Returns the offset of each token, and the end of the last one. */
function startsOf(lengths: Uint8Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [rank, length] of lengths.entries()) starts[rank + 1] = (starts[rank] as number) + length;
  return starts;
}

/**
 * A hash table with open addressing in typed arrays: 4 MB for 200,000 tokens. A `Map` of strings takes 40 MB and adds
 * garbage collection time.
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

/** FNV-1a with its low bits mixed once more, because short inputs differ in few of them. */
function hashOf(text: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (text[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

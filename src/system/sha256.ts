/**
 * SHA-256 (FIPS 180-4) of a short text, in hexadecimal digits. For names of files, which every command asks for: loading
 * `node:crypto` takes longer than all else that a short command does.
 */
export function sha256(text: string): string {
  const bytes = padded(Buffer.from(text));
  const state = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let t = 0; t < 16; t++) words[t] = bytes.readUInt32BE(block + 4 * t);
    for (let t = 16; t < 64; t++) {
      const [a, b] = [words[t - 15] as number, words[t - 2] as number];
      const small0 = rotated(a, 7) ^ rotated(a, 18) ^ (a >>> 3);
      const small1 = rotated(b, 17) ^ rotated(b, 19) ^ (b >>> 10);
      words[t] = (words[t - 16] as number) + small0 + (words[t - 7] as number) + small1;
    }
    compress(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** §5.1.1: a one, zeros, and the length in bits, up to whole blocks of 64 bytes. */
function padded(message: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64);
  message.copy(bytes);
  bytes[message.length] = 0x80;
  bytes.writeUInt32BE(message.length * 8, bytes.length - 4);
  return bytes;
}

/** §6.2.2, steps 2 to 4. */
function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = [...state] as Eight;
  for (const [t, constant] of CONSTANTS.entries()) {
    const big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + constant + (words[t] as number)) >>> 0;
    const big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] as number) + word;
  }
}

type Eight = [number, number, number, number, number, number, number, number];

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** §4.2.2: the first 32 bits behind the point of the cube roots of the first 64 primes; §5.3.3: of the square roots of 8. */
const PRIMES = firstPrimes(64);
const CONSTANTS = PRIMES.map((prime) => fractionOf(Math.cbrt(prime)));
const INITIAL = PRIMES.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let each = 2; primes.length < count; each++) {
    if (primes.every((prime) => each % prime !== 0)) primes.push(each);
  }
  return primes;
}

function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) >>> 0;
}

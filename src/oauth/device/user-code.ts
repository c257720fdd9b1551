import type { Random } from "../../system/random.ts";

/** Without vowels, so that no words appear, and without digits that resemble letters (RFC 8628 §6.1). */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
/** Bytes of this value and above are discarded, since they would bias the code towards the first letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

const TYPED = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`, "i");

/** Makes a new user code, such as `BCDF-GHJK`. */
export function newUserCode(random: Pick<Random, "bytes">): string {
  let letters = "";
  while (letters.length < LENGTH) {
    for (const byte of random.bytes(LENGTH)) {
      if (byte < FAIR_BYTES && letters.length < LENGTH) letters += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return grouped(letters);
}

/** Normalizes a typed user code, in any case, with or without dashes and spaces. Undefined if it is malformed. */
export function parseUserCode(typed: string): string | undefined {
  const letters = typed.replaceAll(/[\s\p{Dash}]/gu, "");
  return TYPED.test(letters) ? grouped(letters.toUpperCase()) : undefined;
}

function grouped(letters: string): string {
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

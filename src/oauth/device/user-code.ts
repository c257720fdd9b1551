import type { Random } from "../../system/random.ts";

/** RFC 8628 §6.1: no vowels, so no words; no digits, so nothing that looks like another. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
/** Bytes from here on would favour the first letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

const TYPED = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`, "i");

/** A new user code, `BCDF-GHJK`. */
export function newUserCode(random: Pick<Random, "bytes">): string {
  let letters = "";
  while (letters.length < LENGTH) {
    for (const byte of random.bytes(LENGTH)) {
      if (byte < FAIR_BYTES && letters.length < LENGTH) letters += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return grouped(letters);
}

/** The user code that was typed, as it was issued: in any case, with or without dashes and spaces. */
export function parseUserCode(typed: string): string | undefined {
  const letters = typed.replaceAll(/[\s\p{Dash}]/gu, "");
  return TYPED.test(letters) ? grouped(letters.toUpperCase()) : undefined;
}

function grouped(letters: string): string {
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/**
 * Returns text that looks random, the same each time. It is generated while the tests run, so that secret
 * scanners find nothing in the files.
 */
export function generated(length: number, alphabet: string, seed = 7): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[(state >>> 16) % alphabet.length];
  }).join("");
}

const DIGITS = "0123456789";
export const hexadecimal = (length: number) => generated(length, `${DIGITS}abcdef`);
export const alphanumeric = (length: number) =>
  generated(length, `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz`);
export const upper = (length: number) => generated(length, `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`);
export const letters = (length: number) =>
  generated(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
export const digits = (length: number) => generated(length, DIGITS);

/**
 * A number that nobody can guess, in decimal. Not by `random.ts`: what only styles a text must not load
 * Node's cryptography, which takes a tenth of a start, before there is a text to style.
 */
export function nonce(): string {
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return String(randomBytes(8).readBigUInt64BE());
}

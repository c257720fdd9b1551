/**
 * Returns an unguessable number in decimal. Does not use `random.ts`: code that only styles text must not load Node's
 * cryptography, which takes a tenth of the start-up time, before it is needed.
 */
export function nonce(): string {
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return String(randomBytes(8).readBigUInt64BE());
}

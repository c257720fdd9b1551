import fc from "fast-check";

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character but halves of pairs. The unit "binary" says the same, and reads a table for most of a second first. */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((rank) => String.fromCodePoint(rank < SURROGATES.from ? rank : rank + SURROGATES.count));

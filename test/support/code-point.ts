import fc from "fast-check";

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any code point but surrogates. fast-check has it as unit "binary", which takes most of a second to load a table. */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((rank) => String.fromCodePoint(rank < SURROGATES.from ? rank : rank + SURROGATES.count));

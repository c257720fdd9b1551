import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "../../src/system/sha256.ts";

const byNode = (text: string) => createHash("sha256").update(text).digest("hex");

it("sha256() returns the same hash as Node for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(byNode(text));
    }),
  );
});

// Lengths around the ends of blocks, where the padding changes (FIPS 180-4 §5.1.1).
it.each([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000])(
  "sha256() returns the same hash as Node for %d bytes",
  (length) => {
    expect(sha256("x".repeat(length))).toBe(byNode("x".repeat(length)));
  },
);

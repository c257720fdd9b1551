import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newUserCode, parseUserCode } from "../../src/oauth/device/user-code.ts";
import { fakeClock } from "../support/clock.ts";
import { codePoint } from "../support/code-point.ts";
import { seededRandom } from "../support/random.ts";

const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const codes = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 8, maxLength: 8 });
const separators = fc.string({
  unit: fc.constantFrom(" ", "-", "–", "\t", "\u00a0", "\u2011"),
  maxLength: 3,
});

describe("user codes", () => {
  it("have eight consonants in two groups", () => {
    const random = seededRandom(fakeClock());
    for (let index = 0; index < 500; index++) {
      expect(newUserCode(random)).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    }
  });

  it("contain each letter equally often", () => {
    const random = seededRandom(fakeClock());
    const counts = new Map<string, number>();
    for (let index = 0; index < 5000; index++) {
      for (const letter of newUserCode(random).replace("-", "")) {
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
    }
    expect([...counts.keys()].sort().join("")).toBe(ALPHABET);
    // 40,000 letters of 20: 2,000 each, with a standard deviation of 44.
    for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(220);
  });

  it("skip bytes that would favour some letters", () => {
    const bytes = [Buffer.alloc(8, 255), Buffer.alloc(8, 240), Buffer.alloc(8, 239)];
    expect(newUserCode({ bytes: () => bytes.shift()! })).toBe("ZZZZ-ZZZZ");
  });

  it("are read in any case, with dashes and spaces anywhere", () => {
    fc.assert(
      fc.property(
        codes,
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        fc.array(separators, { minLength: 9, maxLength: 9 }),
        (code, lower, gaps) => {
          const typed = [...code]
            .map((letter, index) => gaps[index] + (lower[index] ? letter.toLowerCase() : letter))
            .join("");
          expect(parseUserCode(typed + gaps[8])).toBe(`${code.slice(0, 4)}-${code.slice(4)}`);
        },
      ),
    );
  });

  it("are read unchanged when parsed twice", () => {
    fc.assert(
      fc.property(codes, (code) => {
        const once = parseUserCode(code)!;
        expect(parseUserCode(once)).toBe(once);
      }),
    );
  });

  it("are not read from text that is not eight consonants", () => {
    for (const typed of [
      "",
      "BCDF-GHJ",
      "BCDF-GHJKL",
      "ACDF-GHJK",
      "BCDF_GHJK",
      "BCDF-GHJ1",
      "ſCDFGHJK",
      "bcdf.ghjk",
    ]) {
      expect(parseUserCode(typed)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, "");
        if (letters.length !== 8 || [...letters].some((letter) => !ALPHABET.includes(letter))) {
          expect(parseUserCode(text)).toBeUndefined();
        }
      }),
    );
  });
});

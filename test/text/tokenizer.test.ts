import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { partsOf } from "../../src/text/tokens/text-parts.ts";
import { loadTokenizer } from "../../src/text/tokens/tokenizer.ts";
import { runs } from "../support/runs.ts";

const ORACLES = { o200k_base: countO200k, cl100k_base: countCl100k } as const;
const NAMES = ["o200k_base", "cl100k_base"] as const;

/** Generates characters of every kind that the tokenizers' patterns distinguish. */
const character = fc.oneof(
  fc.constantFrom(
    ..." ",
    "\n",
    "\r\n",
    "\t",
    "\u00a0",
    "\u3000",
    "'",
    "'s",
    "'LL",
    "/",
    "!",
    "…",
    "e\u0301",
    "\u0301",
  ),
  fc.constantFrom("a", "Z", "é", "É", "ǅ", "ʰ", "漢", "ª", "1", "٣", "½", "😀", "👩‍👩‍👧", "\u200d", "\0"),
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const texts = fc.array(character, { maxLength: 60 }).map((all) => all.join(""));

/** Allows no special tokens, of which the texts contain none. */
const PLAIN = { allowedSpecial: new Set<string>() };

describe.each(NAMES)("the tokenizer %s", (name) => {
  it("counts the same tokens as the reference package", async () => {
    const tokenizer = await loadTokenizer(name);
    fc.assert(
      fc.property(texts, (text) => {
        expect(tokenizer.count(text)).toBe(ORACLES[name](text, PLAIN));
      }),
      { numRuns: runs(100) },
    );
  });

  it("counts the same tokens in a text that is cut between words", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, most) => {
        const parts = [...partsOf(text, most)];
        // Skips cuts after white space, which may split a run of it. They are made only if no other cut is possible.
        fc.pre(
          parts.slice(1).every((part, before) => part.startsWith(" ") && /\S$/.test(parts[before] ?? "")),
        );
        const sum = parts.reduce((count, part) => count + ORACLES[name](part, PLAIN), 0);
        expect(sum).toBe(ORACLES[name](text, PLAIN));
      }),
      { numRuns: runs(100) },
    );
  });

  it("counts millions of letters with combining accents", async () => {
    const tokenizer = await loadTokenizer(name);
    const half = tokenizer.count("e\u0301".repeat(500_000));
    const counted = tokenizer.count("e\u0301".repeat(3_000_000));
    expect(Math.abs(counted - 6 * half)).toBeLessThanOrEqual(12);
  });
});

describe("partsOf()", () => {
  it("returns the whole text in non-empty parts within the length, and splits no character", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, most) => {
        const parts = [...partsOf(text, most)];
        expect(parts.join("")).toBe(text);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(most);
          expect(part.isWellFormed()).toBe(text.isWellFormed());
          if (text !== "") expect(part).not.toBe("");
        }
      }),
    );
  });

  it("cuts before a space if there is one", () => {
    expect([...partsOf("one two  three four", 9)]).toEqual(["one two", "  three", " four"]);
    expect([...partsOf("abcdefgh", 3)]).toEqual(["abc", "def", "gh"]);
  });
});

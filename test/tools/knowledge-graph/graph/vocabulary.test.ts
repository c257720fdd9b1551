import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Vocabulary } from "../../../../src/tools/knowledge-graph/graph/vocabulary.ts";
import { typosBetween } from "./typos.ts";

function holding(...words: string[]): Vocabulary {
  const held = new Set(words);
  const vocabulary = new Vocabulary((word) => held.has(word));
  for (const word of words) vocabulary.add(word);
  return vocabulary;
}

const near = (vocabulary: Vocabulary, word: string, maxLooked = 1e6) =>
  vocabulary.oneTypoFrom(word, maxLooked).found.toSorted();

describe("beginningWith()", () => {
  it("returns only longer words with the prefix, in order, without removed ones", () => {
    const vocabulary = holding("b", "ab", "abd", "abcd", "abc", "ac", "a");
    vocabulary.remove("abd");
    expect([...vocabulary.beginningWith("ab")]).toEqual(["abc", "abcd"]);
    expect([...vocabulary.beginningWith("abcd")]).toEqual([]);
    expect([...vocabulary.beginningWith("")]).toEqual(["a", "ab", "abc", "abcd", "ac", "b"]);
  });
});

describe("oneTypoFrom()", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "1"), minLength: 1, maxLength: 5 });

  it("finds the words at a distance of one, and none for short words or digits alone", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 30 }), word, (words, asked) => {
        const mayErr = asked.length >= 3 && /[ab]/.test(asked);
        const expected = words.filter((each) => mayErr && typosBetween(asked, each) === 1);
        expect(near(holding(...words), asked)).toEqual(expected.toSorted());
      }),
    );
  });

  it.each([
    [2, false],
    [3, true],
    [32, true],
    [33, false],
  ])("looks for typos of a word of length %i: %s", (length, isLooked) => {
    const word = "x".repeat(length);
    const vocabulary = holding(`${word}x`);
    expect(vocabulary.oneTypoFrom(word, 1e6).found).toHaveLength(isLooked ? 1 : 0);
    expect(vocabulary.oneTypoFrom(word, 1e6).looked > 0).toBe(isLooked);
  });

  it("counts code points, not UTF-16 units", () => {
    const vocabulary = holding("😀😀", "😀😀😀", "😀😁😀", "ab");
    expect(near(vocabulary, "😀😀😀")).toEqual(["😀😀", "😀😁😀"]);
    expect(near(vocabulary, "😀😀")).toEqual([]);
  });

  it("tries only letters of the Unicode blocks of the word, and Latin ones", () => {
    const vocabulary = holding("дом", "дом1", "домa", "dom", "dom1", "doma", "домé", "٣٣٣", "٣٣٤");
    expect(near(vocabulary, "дом")).toEqual(["дом1", "домa", "домé"]);
    expect(near(vocabulary, "dom")).toEqual(["dom1", "doma"]);
    expect(near(vocabulary, "٣٣٣")).toEqual([]);
  });

  it("looks for nothing if that takes more lookups than allowed", () => {
    const vocabulary = holding("abc", "abd");
    const looked = 2 * (4 + 1) * (3 + 1);
    expect(vocabulary.oneTypoFrom("abc", looked)).toEqual({ found: ["abd"], looked });
    expect(vocabulary.oneTypoFrom("abc", looked - 1)).toEqual({ found: [], looked: 0 });
  });

  it("counts each letter of the vocabulary once", () => {
    const vocabulary = holding("abc", "cab", "äbc");
    expect(vocabulary.letterCount).toBe(4);
    vocabulary.add("bca");
    expect(vocabulary.letterCount).toBe(4);
    vocabulary.add("дd");
    expect(vocabulary.letterCount).toBe(6);
  });
});

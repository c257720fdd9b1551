import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWordSearch } from "../../../src/tools/self-healing/patterns/aho-corasick.ts";
import { createPatternIndex } from "../../../src/tools/self-healing/patterns/pattern-index.ts";
import { requiredLiterals } from "../../../src/tools/self-healing/patterns/required-literals.ts";

describe("the literals that a pattern requires", () => {
  it.each<[RegExp, readonly string[] | undefined]>([
    [/No space left/, ["no space left"]],
    [/^\s*error TS\d+: /, ["error ts"]],
    [/failed|timed? out/, ["failed", "time"]],
    [/failed|timed out/, ["failed", "timed out"]],
    [/(?:cannot|could not) find/, ["cannot", "could not"]],
    [/[Ee]rror(?:s|ed)?: x/, ["error"]],
    [/ab*cdefg/, ["cdefg"]],
    [/ab+cde/, ["cde"]],
    [/E {3,}x/, ["e   "]],
    [/_{4,}/, ["____"]],
    [/(?<file>\S+)\.java:/, [".java:"]],
    [/(?!warning)(?<=x)fatal$/, ["fatal"]],
    [/\bfoo\b|\bbarn\b/, ["foo", "barn"]],
    [/[✕✗] \w/, ["✕", "✗"]],
    [/\u25cf x/, ["● x"]],
    [/\[\s+OK \]/, ["ok ]"]],
    [/\d+: \w/, undefined],
    [/x{2}yz/, ["xxyz"]],
    [/(?:abcd)?/, undefined],
  ])("of %s are %j", (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });
});

describe("the word search", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });

  it("finds what indexOf finds, wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(letters, { minLength: 1, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom("a", "B", "c", "d"), maxLength: 40 }),
        fc.nat(10),
        (words, text, from) => {
          const found = new Set<string>();
          createWordSearch(words).search(text, from, text.length, (word) => found.add(words[word] as string));
          const rest = text.slice(from).toLowerCase();
          expect(found).toEqual(new Set(words.filter((word) => rest.includes(word))));
        },
      ),
    );
  });

  it("goes on over colours inside of a word", () => {
    const found: number[] = [];
    const text = "\u001b[1m>>>\u001b[0m Lint\u001b[";
    createWordSearch([">>> lint"]).search(text, 0, text.length, (word) => found.push(word));
    expect(found).toEqual([0]);
  });
});

describe("the pattern index", () => {
  it("names each pattern that may match once, in order", () => {
    const index = createPatternIndex([/disk full/, /error: x|disk/, /never/]);
    const text = "the DISK is disk full";
    expect([...index.candidates(text, 0, text.length)]).toEqual([0, 1]);
    expect([...index.candidates(text, 0, 7)]).toEqual([]);
    expect([...index.candidates("an error: x", 0, 11)]).toEqual([1]);
  });

  it("refuses a pattern that it could not find", () => {
    expect(() => createPatternIndex([/\d+/])).toThrow(/requires no literal/);
  });
});

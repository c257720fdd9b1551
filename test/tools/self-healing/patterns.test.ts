import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWordSearch } from "../../../src/tools/self-healing/patterns/aho-corasick.ts";
import { createPatternIndex } from "../../../src/tools/self-healing/patterns/pattern-index.ts";
import { requiredLiterals } from "../../../src/tools/self-healing/patterns/required-literals.ts";

describe("requiredLiterals()", () => {
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
    [/(?:abcd)+/, ["abcd"]],
    [/(?:abcd){0,2}efg/, ["efg"]],
    [/(?:abcd){2}/, ["abcd"]],
    [/abc{2,}def/, ["abcc"]],
    [/abc{2,3}defgh/, ["defgh"]],
    [/a+?bcd/, ["bcd"]],
    [/ab|cdef/, undefined],
    [/ab/, undefined],
    [/ab.cde.fghi/, ["fghi"]],
    [/abcd.efgh/, ["abcd"]],
    [/=>/, ["=>"]],
    [/=>a/, ["=>a"]],
    [/=/, undefined],
    [/ {9}/, undefined],
    [/●/, ["●"]],
    [/\.\.\.ab/, ["...ab"]],
    [/abc\Bdef\bghi/, ["abcdefghi"]],
    [/^abc$/, ["abc"]],
    [/abc\tdef1/, ["def1"]],
    [/abc\ddefg/, ["defg"]],
    [/a(?=bcdef)ghi/, ["aghi"]],
    [/a(?!bcdef)ghi/, ["aghi"]],
    [/a(?<!bcdef)ghi/, ["aghi"]],
    [/(?<name>abc)|abc/, ["abc"]],
    [/a[bB]c/, ["abc"]],
    [/ab[^c]def/, ["def"]],
    [/ab[c-e]fgh/, ["fgh"]],
    [/[\]\]]=>x/, ["]=>x"]],
    [/[✕\d]abc/, ["abc"]],
    [/[●○◆◇■□▲△▼▽◀◁]/, ["●", "○", "◆", "◇", "■", "□", "▲", "△", "▼", "▽", "◀", "◁"]],
    [/[●○◆◇■□▲△▼▽◀◁▶]/, undefined],
    [/(?:ab|cdef)ghi/, ["ghi"]],
    [/(?:abc|(?:de|fg)hij)/, ["abc", "hij"]],
  ])("returns for %s the literals %j", (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });
});

describe("requiredLiterals() of a random pattern", () => {
  /** A pattern and a text that it matches. */
  type Written = [source: string, text: string];
  const letter = fc.constantFrom<Written>(
    ["a", "A"],
    ["b", "b"],
    ["\\.", "."],
    [".", "z"],
    ["\\d", "7"],
    ["[cC]", "C"],
    ["[ab]", "b"],
    ["[^a]", "b"],
    ["\\u25cf", "●"],
    ["=", "="],
    ["(?!x)", ""],
    ["(?=)", ""],
  );
  const joined = (parts: readonly Written[]): Written => [
    parts.map(([source]) => source).join(""),
    parts.map(([, text]) => text).join(""),
  ];
  const oneOf = (branches: readonly Written[], pick: number): Written => [
    branches.map(([source]) => source).join("|"),
    branches[pick % branches.length]?.[1] as string,
  ];
  const words = fc.array(letter, { maxLength: 4 }).map(joined);
  const group = fc
    .tuple(fc.array(words, { minLength: 1, maxLength: 3 }), fc.nat(), fc.constantFrom("?", "{2}", ""))
    .map(([branches, pick, sign]): Written => {
      const [source, text] = oneOf(branches, pick);
      return [`(?:${source})${sign}`, sign === "?" ? "" : text.repeat(sign === "" ? 1 : 2)];
    });
  const signs: [sign: string, times: number][] = [
    ["", 1],
    ["?", 0],
    ["*", 2],
    ["+", 1],
    ["+?", 3],
    ["{2}", 2],
    ["{1,3}", 2],
    ["{2,}", 3],
    ["{0,2}", 0],
  ];
  const repeated = fc
    .tuple(letter, fc.constantFrom(...signs))
    .map(
      ([[source, text], [sign, times]]): Written =>
        source.startsWith("(") ? [source, text] : [source + sign, text.repeat(times)],
    );
  const branch = fc.array(fc.oneof(repeated, repeated, group), { maxLength: 5 }).map(joined);
  const pattern = fc
    .tuple(fc.array(branch, { minLength: 1, maxLength: 3 }), fc.nat())
    .map(([branches, pick]) => oneOf(branches, pick));

  it("returns literals of which each matching text contains one", () => {
    fc.assert(
      fc.property(pattern, ([source, text]) => {
        const literals = requiredLiterals(new RegExp(source, "i"));
        if (!new RegExp(`^(?:${source})$`, "i").test(text) || !literals) return;
        expect([source, literals.some((literal) => text.toLowerCase().includes(literal))]).toEqual([
          source,
          true,
        ]);
      }),
    );
  });
});

describe("createWordSearch()", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 });

  it("finds the words that indexOf() finds, from any offset", () => {
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

  it("finds a word with colour codes inside", () => {
    const found: number[] = [];
    const text = "\u001b[1m>>>\u001b[0m Lint\u001b[";
    createWordSearch([">>> lint"]).search(text, 0, text.length, (word) => found.push(word));
    expect(found).toEqual([0]);
  });
});

describe("createPatternIndex()", () => {
  it("returns each pattern that may match once, in order", () => {
    const index = createPatternIndex([/disk full/, /error: x|disk/, /never/]);
    const text = "the DISK is disk full";
    expect([...index.candidates(text, 0, text.length)]).toEqual([0, 1]);
    expect([...index.candidates(text, 0, 7)]).toEqual([]);
    expect([...index.candidates("an error: x", 0, 11)]).toEqual([1]);
  });

  it("refuses a pattern that requires no literal", () => {
    expect(() => createPatternIndex([/\d+/])).toThrow(/requires no literal/);
  });
});

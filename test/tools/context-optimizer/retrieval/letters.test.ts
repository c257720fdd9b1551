import { describe, expect, it } from "vitest";
import { locate } from "../../../../src/tools/context-optimizer/retrieval/locate.ts";
import { mentionsIn } from "../../../../src/tools/context-optimizer/retrieval/mentions.ts";
import { codePieces } from "../../../../src/tools/context-optimizer/retrieval/pieces.ts";
import { recordStarts } from "../../../../src/tools/context-optimizer/retrieval/records.ts";
import { queryTerms } from "../../../../src/tools/context-optimizer/retrieval/search.ts";
import {
  searchedPiece,
  termNumber,
} from "../../../../src/tools/context-optimizer/retrieval/searched-file.ts";
import { sectionPieces } from "../../../../src/tools/context-optimizer/retrieval/sections.ts";
import { searchedFile, wholePieces } from "../../../../src/tools/context-optimizer/retrieval/whole-pieces.ts";

describe("mentionsIn()", () => {
  const lineOf = (text: string) => {
    const { mentions, lines } = mentionsIn(text, ["src/a-b.ts"]);
    return [[...(mentions[0] ?? [])], lines.get(0)];
  };

  it.each<[string, string[], number[] | undefined]>([
    ["a-b.ts:1234567", ["a-b.ts:1234567"], [1_234_567]],
    ["a-b.ts:12345678", ["a-b.ts:1234567"], [1_234_567]],
    ["a-b.ts:x", ["a-b.ts"], undefined],
    ["'a-b.ts', line 5", ["a-b.ts:5"], [5]],
    ["a-b.ts, line 5", ["a-b.ts:5"], [5]],
    ["a-b.ts line 5", ["a-b.ts"], undefined],
    ["./src/a-b.ts(3)", ["./src/a-b.ts:3"], [3]],
    ["~/x@1/src/a-b.ts", ["~/x@1/src/a-b.ts"], undefined],
    ["(src/a-b.ts:7)", ["src/a-b.ts:7"], [7]],
    ["xa-b.ts:7", [], undefined],
    ["other/a-b.ts:7", [], undefined],
    ["a-b.1s", [], undefined],
    ["a-b.tsabcdefghi", [], undefined],
  ])("finds in %j the mentions %j", (text, mentions, lines) =>
    expect(lineOf(text)).toEqual([mentions, lines]),
  );

  it("matches a file if either its path or the mention ends with the other", () => {
    const files = ["a.ts", "src/a.ts", "lib/src/a.ts"];
    const named = (text: string) =>
      mentionsIn(text, files).mentions.flatMap(({ size }, file) => (size > 0 ? [files[file]] : []));
    expect(named("src/a.ts")).toEqual(files);
    expect(named("lib/src/a.ts")).toEqual(files);
    expect(named("b/src/a.ts")).toEqual(["a.ts", "src/a.ts"]);
    expect(named("c/a.ts")).toEqual(["a.ts"]);
    expect(named("rc/a.ts")).toEqual(["a.ts"]);
  });

  it("collects every line that is mentioned for a file", () => {
    const { lines } = mentionsIn("a.ts:1 a.ts:9 b.ts:4 a.ts", ["a.ts", "b.ts", "c.ts"]);
    expect([...lines]).toEqual([
      [0, [1, 9]],
      [1, [4]],
    ]);
  });
});

describe("sectionPieces()", () => {
  const named = (line: string) => sectionPieces([line])[0]?.names;

  it.each([
    ["# One", ["One"]],
    ["#  \t One two ", ["One two "]],
    ["# a", ["a"]],
    ["###### One", ["One"]],
    ["####### One", []],
    ["#One", []],
    ["#", []],
    ["# ", []],
    [" # One", []],
    ["One # two", []],
  ])("reads from the line %j the headings %j", (line, names) => expect(named(line)).toEqual(names));

  it("cuts a section at 40 lines, after the last empty one", () => {
    const ends = (count: number, ...blanks: number[]) =>
      sectionPieces(Array.from({ length: count }, (_, at) => (blanks.includes(at) ? " " : "x"))).map(
        ({ to }) => to,
      );
    expect([ends(39), ends(40), ends(41)]).toEqual([[39], [40], [40, 41]]);
    expect(ends(60, 10, 20)).toEqual([21, 60]);
    expect(ends(60, 39)).toEqual([40, 60]);
    expect(ends(85, 0)).toEqual([1, 41, 81, 85]);
    expect(ends(0)).toEqual([]);
  });

  it("begins a section at each heading and names it by that heading", () => {
    expect(sectionPieces(["# a", "x", "# b", "# c"])).toEqual([
      { from: 0, to: 2, names: ["a"] },
      { from: 2, to: 3, names: ["b"] },
      { from: 3, to: 4, names: ["c"] },
    ]);
  });
});

describe("codePieces()", () => {
  const namesOf = (line: string) => codePieces([line, "  a", "  function b() {", "    c"])[0]?.names;

  it.each<[string, string[]]>([
    ["  class A", ["A"]],
    ["class  A.B::C.D", ["A.B::C.D"]],
    ["func  (a *A)  Run()", ["Run"]],
    ["function*  run()", ["run"]],
    ["run <T>  (a) {", ["run"]],
    ["$run(a) {", ["$run"]],
    ["_run1(a) {", ["_run1"]],
    ["let $a_1 = (b) => c", ["$a_1"]],
    ["export default {", []],
  ])("finds in %j the names %j", (line, names) => expect(namesOf(line)).toEqual(names));

  it.each([
    ["class A {", true],
    ["  export abstract class A {", true],
    ["@Entity(name = 'a') public class A {", false],
    ["pub(crate) struct A {", true],
    ["enum A {", true],
    ["object A {", true],
    ["classes(a) {", false],
    ["function a() {", false],
    ["a(class) {", false],
  ])("decides whether %j contains other declarations: %s", (line, expected) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    const all = codePieces([line, `${indent}  function inner() {`, `${indent}    c`]);
    if (codePieces([line])[0]?.names.length === 0) return;
    expect(all.length > 1).toBe(expected);
  });
});

describe("recordStarts()", () => {
  it.each<[string, number[]]>([
    ['{"a":1}\n{"a":2}\n\n{"a":3}', [0, 8, 17]],
    ['{"a":1} {"a":2}', [0, 8]],
    ['[{"a":1},{"a":2}]', [0, 1, 9]],
    ['[ {"a":1} , {"a":2} ]', [0, 2, 12]],
    ['{"r":[{"a":[{"b":1},{"b":2}]},{"c":3}],"s":[{"d":4}]}', [0, 6, 30, 44]],
    ['["{",{"a":1}]', [0]],
    ['["\\"{",1]', [0]],
    ["", [0]],
  ])("finds in %s the records that begin at %j", (text, starts) =>
    expect(recordStarts(text)).toEqual(starts),
  );
});

describe("searched pieces", () => {
  it("count each term up to 255 times, and names twice", () => {
    const counts = (text: string, ...names: string[]) => {
      const { terms, counts } = searchedPiece({ names, text, from: 0, to: 1 });
      return Object.fromEntries([...terms].map((term, at) => [term, counts[at]]));
    };
    const [zorp, blick] = [termNumber("zorp"), termNumber("blick")];
    expect(counts("zorp blick zorp", "zorp")).toEqual({ [zorp]: 4, [blick]: 1 });
    expect(counts("", "zorp", "blick")).toEqual({ [zorp]: 2, [blick]: 2 });
    expect(counts("zorp ".repeat(255))).toEqual({ [zorp]: 255 });
    expect(counts("zorp ".repeat(256))).toEqual({ [zorp]: 255 });
  });

  it("number their terms by FNV-1a", () => {
    // Test vectors of http://www.isthe.com/chongo/src/fnv/test_fnv.c
    expect(["", "a", "b", "foobar"].map(termNumber)).toEqual([
      0x811c9dc5, 0xe40c292c, 0xe70c2de5, 0xbf9cf968,
    ]);
  });

  it("are cut after 8,000 characters", () => {
    const lengths = (length: number) => searchedFile("a.txt", "x".repeat(length), "prose").pieces.length;
    expect([lengths(8000), lengths(8001), lengths(0)]).toEqual([1, 2, 0]);
  });

  it("count lines as editors do", () => {
    const lines = (content: string, longest = 1000) =>
      wholePieces([{ content }], ["prose"], longest).map(({ text, from, to }) => [text, from, to]);
    expect(lines("a\r\nb\rc\n\n# d")).toEqual([
      ["a\r\nb\rc\n\n", 0, 4],
      ["# d", 4, 5],
    ]);
    expect(lines("abcdef\ngh", 4)).toEqual([
      ["abcd", 0, 1],
      ["ef\ng", 0, 1],
      ["h", 1, 2],
    ]);
  });
});

describe("queryTerms()", () => {
  it("weighs repetitions of a term less and less, and terms of the first line twice", () => {
    const of = (query: string) => Object.fromEntries(queryTerms(query));
    expect(of("\nzorp")).toEqual({ zorp: 1 });
    expect(of("zorp")).toEqual({ zorp: expect.closeTo(4 / 3) });
    expect(of("zorp\nzorp blick")).toEqual({ zorp: 1.5, blick: 1 });
    expect(of("zorp zorp")).toEqual({ zorp: 1.6 });
    expect(of("")).toEqual({});
  });

  it("come to an end with a text of a million letters, of which none ends a word", () => {
    expect(queryTerms(`${"n".repeat(1_000_000)} zorp don't`).has("zorp")).toBe(true);
  });
});

describe("the reasons for a file", () => {
  const reasonsOf = (query: string, files: Record<string, string>, path: string) => {
    const segments = Object.entries(files).map(([id, content]) => ({
      id,
      content,
      priority: 0,
      pinned: false,
    }));
    return locate({ query, segments, limit: 50 }).files.find((file) => file.path === path)?.reasons;
  };

  it("name the five rarest words of the query, as the query writes them", () => {
    const words = ["alfa", "brav", "charl", "delt", "ech", "foxt"];
    // The first word is in all files, the next in one less, and so on.
    const files = Object.fromEntries(
      words.map((_, at) => [`f${at}.txt`, words.slice(0, words.length - at).join(" ")]),
    );
    expect(reasonsOf("Alfa brav CHARL delt ech foxt", files, "f0.txt")).toEqual([
      "Its text has foxt, ech, delt, CHARL, brav.",
    ]);
    expect(reasonsOf("Alfa brav CHARL delt ech foxt", files, "f5.txt")).toEqual(["Its text has Alfa."]);
  });

  it("list words of the path first, and whole words rather than parts of longer names", () => {
    const files = { "blick/a.txt": "zorpFrun zorp", "b.txt": "quib" };
    expect(reasonsOf("zorpFrun zorp in blick", files, "blick/a.txt")?.slice(0, 1)).toEqual([
      "Its path has blick.",
    ]);
    expect(reasonsOf("zorpFrun zorp in blick", files, "blick/a.txt")?.[1]).toMatch(
      /^Its text has .*\bzorp\b/,
    );
    expect(reasonsOf("quib", files, "blick/a.txt")).toBeUndefined();
  });

  it("come with scores of three decimal places, best first and ties in the given order", () => {
    const segments = ["a", "b", "c"].map((id) => ({
      id: `${id}.txt`,
      content: "zorp",
      priority: 0,
      pinned: false,
    }));
    const { files } = locate({
      query: "zorp",
      segments: [
        ...segments,
        { id: "d.txt", content: `zorp ${"quib ".repeat(50)}`, priority: 0, pinned: false },
      ],
      limit: 10,
    });
    expect(files.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt", "d.txt"]);
    const [first, , , last] = files.map(({ score }) => score);
    expect(first).toBe(1);
    expect(last).toBeLessThan(1);
    expect(last).toBe(Number(last?.toFixed(3)));
  });
});

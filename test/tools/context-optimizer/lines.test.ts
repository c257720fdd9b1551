import { describe, expect, it } from "vitest";
import { codeBlocks, isImport, isSignature } from "../../../src/tools/context-optimizer/code-blocks.ts";
import { jsonStarts } from "../../../src/tools/context-optimizer/json-parts.ts";
import { kindOfPath, recognise } from "../../../src/tools/context-optimizer/kinds.ts";
import { sentenceStarts } from "../../../src/tools/context-optimizer/sentences.ts";

const pieces = (text: string, starts: readonly number[]) =>
  starts.map((start, index) => text.slice(start, starts[index + 1]));
const words = (text: string) => text.trim().split(/\s+/);

describe("the kind of a text", () => {
  it("follows every known file extension", () => {
    const code =
      "js jsx ts tsx mjs cjs mts cts py pyi go java rb php c h cc cpp hpp cs rs kt kts swift scala sh bash css scss sql vue svelte ex exs dart lua";
    expect(words(code).filter((extension) => kindOfPath(`a.${extension}`) !== "code")).toEqual([]);
    expect(words("md mdx txt rst adoc").map((extension) => kindOfPath(`a.${extension}`))).toEqual(
      Array(5).fill("prose"),
    );
    expect(
      words("json jsonl ndjson diff patch log exe").map((extension) => kindOfPath(`a.${extension}`)),
    ).toEqual(["json", "json", "json", "diff", "diff", "log", undefined]);
  });

  /** Recognises a text of two lines, of which the other is prose: one line of a kind is enough. */
  const withProse = (line: string) => recognise(`${line}\nand then some words`);

  it.each([
    ["log", "2026-01-15T12:00:00 it began"],
    ["log", "[2026-01-15 12:00:00] it began"],
    ["log", "12:00:00 it began"],
    ["log", "TRACE it began"],
    ["log", "[DEBUG] it began"],
    ["log", "WARN it began"],
    ["log", "ERROR it began"],
    ["log", "FATAL: it began"],
    ["log", "Feb  1 it began"],
    ["log", "Mon 12 it began"],
    ["prose", "INFORMATION it began"],
    ["prose", "so ERROR it began"],
    ["prose", "Monday 12 it began"],
    ["prose", "12:00 it began"],
    ["code", "x = f(y)"],
    ["code", "  load(a, b):"],
    ["code", "return x"],
    ["code", "while x"],
    ["code", "using System"],
    ["code", "  private x"],
    ["code", "@cached"],
    ["code", "// why"],
    ["code", "/* why"],
    ["code", " * why"],
    ["code", "# why"],
    ["code", "x => y"],
    ["code", "x = 1;  "],
    ["code", "go {"],
    ["code", "}"],
    ["prose", "returned x"],
    ["prose", "so return x"],
    ["prose", "x = 1; y"],
    ["prose", "load(a, b) and so on"],
    ["prose", "x // why"],
  ] as const)("is %s if half of the lines are similar to %j", (kind, line) => {
    expect(withProse(line)).toBe(kind);
    expect(recognise(`${line}\nand then\nsome words`)).toBe("prose");
  });

  it.each([
    ["dialogue", "Ann: One.\nAnn: Two.\nBob: Three.\nBob: Four."],
    ["dialogue", "Ann: One.\nBob: Two."],
    ["dialogue", "Ann-Marie O'Hara (2nd): One.\nBob: Two."],
    ["prose", "Ann: One.\nBob: Two.\nCid: Three.\nDan: Four."],
    ["dialogue", "Ann: One.\nBob: Two.\nAnn: Three.\nBob: Four.\nCid: Five.\nAnn: Six."],
    ["prose", "Ann:One.\nBob:Two."],
    ["prose", "Ann:\nBob:"],
    ["json", "[null]"],
    ["json", "[[1]]"],
    ["json", '["a"]'],
    ["json", "[]"],
    ["json", "[-1]"],
    ["json", '{"a\\"b": 1}'],
    ["prose", "{a: 1}"],
    ["prose", "[a]"],
    ["prose", 'so {"a": 1}'],
    ["diff", "so\n@@ -1 +1 @@"],
    ["prose", "so @@ -1 +1 @@\nand so on"],
    ["prose", "--- a\nand so on\nand on"],
  ] as const)("is %s: %j", (kind, text) => expect(recognise(text)).toBe(kind));

  it("is recognised from the first 400 lines and from the ends of long lines", () => {
    const prose = "and then some words\n";
    expect(recognise(prose.repeat(399) + "x = 1;\n".repeat(600))).toBe("prose");
    expect(recognise("x = 1;\n".repeat(400) + prose.repeat(900))).toBe("code");
    const long = `${"word ".repeat(300)};`;
    expect(recognise(`${long}\n${long}`)).toBe("code");
    const within = `${"word ".repeat(110)}=> ${"word ".repeat(110)}`;
    expect(recognise(`${within}\n${within}`)).toBe("prose");
  });
});

describe("a line of code", () => {
  const nouns = words(
    "class interface type enum struct trait impl function func fn def record object protocol extension mod",
  );
  const modifiers = words(
    "pub public private protected internal static final abstract async default declare override virtual extern unsafe inline sealed partial pub(crate)",
  );

  it("is a signature by its noun, with any modifiers before it", () => {
    expect(nouns.filter((noun) => !isSignature(`${noun} A`))).toEqual([]);
    expect(modifiers.filter((modifier) => !isSignature(`  ${modifier} class A`))).toEqual([]);
    expect(isSignature("public static final class A")).toBe(true);
    expect(isSignature("function* numbers()")).toBe(true);
    expect(nouns.filter((noun) => isSignature(`${noun}es = 1`))).toEqual([]);
    expect(nouns.filter((noun) => isSignature(`a ${noun} of it`))).toEqual([]);
    expect(modifiers.filter((modifier) => isSignature(`${modifier} = 1`))).toEqual([]);
  });

  it.each([
    ["module a", true],
    ["namespace a", true],
    ["modules = 1", false],
    ["require 'a'", true],
    ["required = 1", false],
    ["const run = (a) => a", true],
    ["let run = async a => a", true],
    ["var run = function () {", true],
    ["const run = (a): number => a", true],
    ["const run: Run = (a) => a", true],
    ["const run = call(a)", false],
    ["run = (a) => a", false],
    ["  async run(a) {", true],
    ["static std::vector<int> run(int *a) {", true],
    ["run(a): void {", true],
    ["run(a) {  ", true],
    ["run(a) { return 1; }", false],
    ["run(a) = {", false],
    ["run(a; b) {", false],
    ["} else if (a) {", false],
    ["switch (a) {", false],
    ["catch (a) {", false],
    ["await run(a) {", false],
    ["new Run(a) {", false],
    ["running catcher(a) {", true],
  ])("%s is a signature: %s", (line, expected) => expect(isSignature(line)).toBe(expected));

  it.each([
    ["  import a", true],
    ["from a.b import c", true],
    ["package a;", true],
    ["use a;", true],
    ["using a;", true],
    ["# include <a>", true],
    ["require 'a'", true],
    ["important", false],
    ["from a to b", false],
    ["packages", false],
    ["used a", false],
    ["#included", false],
    ["so import a", false],
  ])("%s is an import: %s", (line, expected) => expect(isImport(line)).toBe(expected));

  it("ends a block if it is empty, with any line endings", () => {
    for (const end of ["\n", "\r\n"]) {
      const text = ["one();", "two();", "", "three();", "class A {", "four();"].join(end);
      expect(pieces(text, codeBlocks(text)).map((piece) => words(piece).join(" "))).toEqual([
        "one(); two();",
        "three();",
        "class A {",
        "four();",
      ]);
    }
  });
});

describe("parts of JSON on one line", () => {
  const long = "x".repeat(700);

  it("are split at the commas of three levels", () => {
    const text = `{"a":{"b":{"c":1,"d":{"e":2,"f":"${long}"}},"g":[3,4]},"h":5}`;
    expect(pieces(text, jsonStarts(text))).toEqual([
      '{"a":{"b":{"c":1,',
      `"d":{"e":2,"f":"${long}"}},`,
      '"g":[3,',
      "4]},",
      '"h":5}',
    ]);
  });

  it("are not split within a string or after the last comma", () => {
    const text = `["a,\\"b,","${long}",1,`;
    expect(pieces(text, jsonStarts(text))).toEqual(['["a,\\"b,",', `"${long}",`, "1,"]);
  });
});

describe("sentences", () => {
  it.each([
    ["He came at five!! Then he left.", ["He came at five!! ", "Then he left."]],
    ["It is so… Then it is not.", ["It is so… ", "Then it is not."]],
    ["He said (“so.”) Then he left.", ["He said (“so.”) ", "Then he left."]],
    ["It ends.  \tIt begins.", ["It ends.  \t", "It begins."]],
    ["一。」二！？三", ["一。」", "二！？", "三"]],
    ["One\r\n  Two", ["One\r\n  ", "Two"]],
    ["See fig. 3 and eqs. 4 to 5. Then go.", ["See fig. 3 and eqs. 4 to 5. ", "Then go."]],
    [
      "Ask mr. Moore or dr. Lee (jr. Or sr. Too). Go.",
      ["Ask mr. Moore or dr. Lee (jr. Or sr. Too). ", "Go."],
    ],
    ['In "No. 5" and [Vol. 6] it ends. Go.', ['In "No. 5" and [Vol. 6] it ends. ', "Go."]],
    ["It ended. 5 began.", ["It ended. ", "5 began."]],
    ["It ended. (so it did.) Go.", ["It ended. (so it did.) ", "Go."]],
    ["Ends.", ["Ends."]],
    ["", [""]],
  ])("of %j are %j", (text, expected) => expect(pieces(text, sentenceStarts(text))).toEqual(expected));

  it("continue over a single line break only after a long line", () => {
    const line = (length: number) => "x".repeat(length);
    expect(sentenceStarts(`${line(50)}\nand on`)).toHaveLength(1);
    expect(sentenceStarts(`${line(49)}\nand on`)).toHaveLength(2);
    expect(sentenceStarts(`short\n${line(50)}\nand on`)).toHaveLength(2);
    expect(sentenceStarts(`${line(50)}\r\n  and on`)).toHaveLength(1);
    expect(sentenceStarts(`${line(50)}\n\nand on`)).toHaveLength(2);
    expect(sentenceStarts(`| ${line(50)}\nand on`)).toHaveLength(2);
    for (const block of ["* a", "+ a", "2) a", "~~~", "  - a"]) {
      expect([block, sentenceStarts(`${line(50)}\n${block}`).length]).toEqual([block, 2]);
    }
    for (const text of ["2.5 it", "<- it"]) {
      expect([text, sentenceStarts(`${line(50)}\n${text}`).length]).toEqual([text, 1]);
    }
  });
});

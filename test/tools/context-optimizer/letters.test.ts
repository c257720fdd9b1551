import { describe, expect, it } from "vitest";
import { codeBlocks, isImport, isSignature } from "../../../src/tools/context-optimizer/code-blocks.ts";
import type { Kind } from "../../../src/tools/context-optimizer/contract.ts";
import { jsonStarts } from "../../../src/tools/context-optimizer/json-parts.ts";
import { kindOfPath, recognise } from "../../../src/tools/context-optimizer/kinds.ts";
import { shortened } from "../../../src/tools/context-optimizer/lines.ts";
import { redundanciesOf } from "../../../src/tools/context-optimizer/relevance/redundancy.ts";
import { structureOf } from "../../../src/tools/context-optimizer/relevance/structure.ts";
import { sentenceStarts } from "../../../src/tools/context-optimizer/sentences.ts";
import type { Unit } from "../../../src/tools/context-optimizer/units.ts";

const x = (count: number) => "x".repeat(count);

describe("the kind of a text", () => {
  it.each<[Kind, string]>([
    ["dialogue", "A: One."],
    ["dialogue", "[Ann]:  One."],
    ["dialogue", "Ann A. B, C'D’E (F)_G/H-I 1: One."],
    ["dialogue", `A${x(48)}: One.`],
    ["prose", `A${x(49)}: One.`],
    ["prose", "- Ann: One."],
    ["prose", "Ann! Lee: One."],
    ["prose", "A: "],
    ["log", "<<<12:00:00 One"],
    ["prose", "<<<<12:00:00 One"],
    ["log", "<<<[INFO One"],
    ["prose", "<<<<[INFO One"],
    ["log", "2026-01-15 One"],
    ["prose", "2026-01-15, One"],
    ["prose", "1 2026-01-15 One"],
    ["log", "Dec 1 One"],
    ["log", "Dec  1 One"],
    ["prose", "Dec   1 One"],
    ["prose", "Dec One"],
    ["code", "   return"],
    ["code", "   // One"],
    ["code", "One {   "],
    ["code", "one(two, three):  "],
    ["code", "one()"],
    ["prose", "one(two)) three"],
    ["prose", "@ One"],
    ["prose", "one (two)"],
  ])("is %s for two lines of %j", (kind, line) => expect(recognise(`${line}\n${line}`)).toBe(kind));

  it.each<[Kind, string]>([
    ["json", `{"${x(200)}": 1}`],
    ["prose", `{"${x(201)}": 1}`],
    ["json", '  {  "a"  : 1}'],
    ["json", '{"": 1}'],
    ["prose", '{"a" 1}'],
    ["code", '{"a\nb": 1}'],
    ["json", "{   }"],
    ["json", "[  {"],
    ["json", "[  true"],
    ["json", "[1"],
    ["json", "[-1.5e+3, 2]"],
    ["json", "[12   ]"],
    ["json", "[   ]"],
    ["prose", "[12 of them]"],
    ["prose", "[-]"],
    ["prose", "a [1]"],
    ["diff", "--- abc\n+++ b"],
    ["prose", "---  \n+++ b"],
    ["prose", "@@ -a"],
  ])("is %s for the whole text %j", (kind, text) => expect(recognise(text)).toBe(kind));

  it.each([
    ["a.b.ts", "code"],
    [".ts", "code"],
    ["a.TS", "code"],
    ["a.ts.b", undefined],
    ["a.ts/b", undefined],
    ["a.markdownx", undefined],
    // Every object has these members, so that only their length keeps them from being found.
    ["a.constructor", undefined],
    ["a.__proto__", undefined],
  ])("is read from the last file extension, if it is a known one: of %s it is %s", (path, expected) =>
    expect(kindOfPath(path)).toBe(expected),
  );
});

describe("a line of code", () => {
  it.each(
    [
      "from   a.b   import c",
      "#   include <a.h>",
      "#   define A",
      "using  std::a",
      "  package a",
      "pub(in a::b)   fn run()",
      "public   static   class A",
      "a$run(b) {",
      "Map<a>run(b) {",
      "a[]run(b) {",
      "a,b run(c) {",
      "a::run(b) {",
      "int *run(b) {",
      "int &run(b) {",
      "a?run(b) {",
      "~run(b) {",
      "a\trun(b) {",
      "run<T>(b) {",
      "run$(b) {",
      "run   () {",
      "run(b) throws A, B {   ",
      "  export   const a = b => c",
      "const a=b=>c",
      "const a = async b => c",
      "const a = async(b) => c",
      "const a = async function () {",
      "const abc: A<B> = (b) => c",
      "const a = (b): { c: number; d: string } => e",
      "const a = (b, =>",
      "const $a = (b) => c",
      "let a = $b => c",
    ].filter((line) => !line.endsWith("(")),
  )("is a signature: %j", (line) => expect(isSignature(line)).toBe(true));

  it.each([
    "a!run(b) {",
    "a.run(b) {",
    "(a)(b) {",
    "run(b) {}",
    "run b {",
    "  return run(a) {",
    "  throw run(a) {",
    "  do run(a) {",
    "  case run(a) {",
    "  with (a) {",
    "so const a = b => c",
    "const = b => c",
    "const a = b + c => d",
    "const a = functions",
    "const a = (b; c) => d",
    "user a",
    "from import a",
    "include a",
    "define a",
  ])("is not a signature: %j", (line) => expect(isSignature(line)).toBe(false));

  it("is judged as a signature by its first 1,000 characters", () => {
    const line = (length: number) => `run(${"a".repeat(length - 7)}) {`;
    expect([line(1000).length, isSignature(line(1000)), isSignature(line(1001))]).toEqual([
      1000,
      true,
      false,
    ]);
  });

  it.each([
    ["   from   a   import b", true],
    ["   use a", true],
    ["#   include a", true],
    ["from a  b import", false],
    ["so use a", false],
    ["include a", false],
  ])("%j is an import: %s", (line, expected) => expect(isImport(line)).toBe(expected));

  it("is a block of its own as a signature, otherwise one up to a blank line or ten lines", () => {
    const blocks = (text: string) =>
      codeBlocks(text).map((start, index, all) => text.slice(start, all[index + 1]));
    expect(blocks("a;\n \t\nb;\nc;")).toEqual(["a;\n \t\n", "b;\nc;"]);
    expect(blocks("a;\n\r\nb;")).toEqual(["a;\n\r\n", "b;"]);
    expect(blocks("class A {\nb;\nc;")).toEqual(["class A {\n", "b;\nc;"]);
    const ten = Array.from({ length: 11 }, (_, at) => `s${at};\n`);
    expect(blocks(ten.join(""))).toEqual([ten.slice(0, 10).join(""), ten[10]]);
    expect(blocks("a;\nclass B {\rb;")).toEqual(["a;\n", "class B {\r", "b;"]);
  });
});

describe("jsonStarts()", () => {
  it("splits at commas only if lines have more than 300 characters on average", () => {
    const of = (length: number) => jsonStarts(`{"a":1,"b":"${"y".repeat(length - 14)}"}`);
    expect([of(300), of(301)]).toEqual([[0], [0, 7]]);
  });

  it("splits within three levels of objects and lists, but not after the last comma", () => {
    const long = `"${"y".repeat(700)}"`;
    const parts = (text: string) =>
      jsonStarts(text).map((start, index, all) => text.slice(start, all[index + 1]));
    expect(parts(`[[[1,${long},[2,3],4]],5]`)).toEqual(["[[[1,", `${long},`, "[2,3],", "4]],", "5]"]);
    expect(parts(`["a,[","b",${long},`)).toEqual(['["a,[",', '"b",', `${long},`]);
    expect(parts(`["\\\\",${long}]`)).toEqual(['["\\\\",', `${long}]`]);
  });
});

describe("sentences", () => {
  const of = (text: string) =>
    sentenceStarts(text).map((start, index, all) => text.slice(start, all[index + 1]));
  const long = `${x(49)}y`;

  it.each<[string, string[]]>([
    ['He came."” Go.', ['He came."” ', "Go."]],
    ["He came.'’»)] Go.", ["He came.'’»)] ", "Go."]],
    ["One\n\n\n  Two", ["One\n\n\n  ", "Two"]],
    ["一。”’」』）\"'二", ["一。”’」』）\"'", "二"]],
    ["一。 二", ["一。 ", "二"]],
    ["He saw A. Lee. Go.", ["He saw A. Lee. ", "Go."]],
    ["He saw “A. Lee. Go.", ["He saw “A. Lee. ", "Go."]],
    ["He saw 'A. Lee. Go.", ["He saw 'A. Lee. ", "Go."]],
    ["It is U.S. Go.", ["It is U.S. Go."]],
    ["A b. ‘so it is’. Go.", ["A b. ‘so it is’. ", "Go."]],
    ["A b. ([so it is]). Go.", ["A b. ([so it is]). ", "Go."]],
    ["A b. (((so it is. Go.", ["A b. (((so it is. ", "Go."]],
    ["A b. ((((so it is. Go.", ["A b. ", "((((so it is. ", "Go."]],
    [`${long}\n \t and on`, [`${long}\n \t and on`]],
    [`${long}\n12. and on`, [`${long}\n`, "12. ", "and on"].slice(0, 1).concat("12. and on")],
    [`${long}\n12.and on`, [`${long}\n12.and on`]],
    [`${long}\n\t- and on`, [`${long}\n\t`, "- and on"]],
    [`${long}\n<b`, [`${long}\n`, "<b"]],
    [`${long}\n<`, [`${long}\n<`]],
  ])("of %j are %j", (text, sentences) => expect(of(text)).toEqual(sentences));
});

describe("redundanciesOf()", () => {
  const again = (kind: Kind, one: string, other: string) =>
    redundanciesOf([one, other].map((text) => ({ text, kind }) as Unit))[1] === "redundant";

  it.each<[Kind, string, string, boolean]>([
    ["log", "id deadbeef is up", "id 0123456789abcdef is up", true],
    ["log", "id deadbee is up", "id deadbed is up", false],
    ["log", "id deadbeef-dead-beef is up", "id deadbeef is up", true],
    ["log", "id deadbeef-dea is up", "id deadbeef-def is up", false],
    ["log", "id 0xA is up", "id 0xbeef is up", true],
    ["log", "at 1.2:3,4-5T6/7 up", "at 8 up", true],
    ["log", "in 1Z of it", "in 2ms of it", true],
    ["log", "in 1s of it", "in 2% of it", false],
    ["log", "in 1KiB of it", "in 2GB of it", true],
    ["log", "in 1kB of it", "in 2MB of it", true],
    ["log", "in 1px of it", "in 2px of it", false],
    ["log", "  padded line", "padded line  ", true],
    ["json", '"a": 1,', '"a": 1,', true],
    ["json", '"a": 1,', '"a": 2,', false],
    ["code", "abcd", "abcd", true],
    ["code", "abc", "abc", false],
  ])("decides for %s whether %j repeats %j: %s", (kind, other, one, expected) =>
    expect(again(kind, one, other)).toBe(expected),
  );

  it.each([
    ["  * Copyright © Acme", "boilerplate"],
    ["© © Acme", "boilerplate"],
    ["copyright    2026 Acme", "boilerplate"],
    ["copyright 26 Acme", undefined],
    ["copyright Acme", undefined],
    ["So copyright 2026", undefined],
    ["unlicensed under the", undefined],
    ["the privacy policyholder", undefined],
  ])("marks %j as %s", (text, expected) =>
    expect(redundanciesOf([{ text, kind: "prose" } as Unit])).toEqual([expected]),
  );
});

describe("structureOf()", () => {
  it.each<[Kind, string, number]>([
    ["code", "import a\r\nclass B {", 0.5],
    ["code", "class B {\rimport a", 1],
    ["diff", " diff --git a", 0],
    ["diff", "diffs", 0],
    ["diff", "+a", 0.5],
    ["diff", " +a", 0],
    ["log", "it fails", 0],
    ["log", "it may fail", 1],
    ["log", "preexception", 0],
    ["log", "a WARNING", 0.5],
    ["log", "forewarn", 0],
    ["json", "   1", 0.5],
    ["json", "", 1],
    ["json", "    ", 1 / 3],
    ["dialogue", "ERROR", 0],
  ])("weighs %s in %j as %d", (kind, text, expected) =>
    expect(structureOf({ kind, text } as Unit)).toBeCloseTo(expected),
  );
});

it.each(["\u{10000}", "\u{10ffff}", "\u{103ff}", "\u{10fc00}"])(
  "shortened() does not cut within the character %j",
  (character) => {
    const text = `ab${character}cd`;
    const cut = shortened(text, [0], 3).map((start, index, all) => text.slice(start, all[index + 1]));
    expect(cut).toEqual(["ab", `${character}c`, "d"]);
  },
);

import { describe, expect, it } from "vitest";
import { isImport, isSignature } from "../../../src/tools/context-optimizer/code-blocks.ts";
import type { Kind } from "../../../src/tools/context-optimizer/contract.ts";
import { kindOfPath, kindsOf, recognise } from "../../../src/tools/context-optimizer/kinds.ts";
import { redundanciesOf } from "../../../src/tools/context-optimizer/relevance/redundancy.ts";
import { structureOf } from "../../../src/tools/context-optimizer/relevance/structure.ts";
import { sentenceStarts } from "../../../src/tools/context-optimizer/sentences.ts";
import type { Unit } from "../../../src/tools/context-optimizer/units.ts";

describe("the kind of a text", () => {
  it.each<[string, Kind | undefined]>([
    ["src/a.ts", "code"],
    ["a.test.py", "code"],
    ["A.CPP", "code"],
    ["README.md", "prose"],
    ["data.jsonl", "json"],
    ["fix.patch", "diff"],
    ["server.log", "log"],
    ["a.ts.bak", undefined],
    ["Makefile", undefined],
    ["ts", undefined],
    ["a.constructor", undefined],
  ])("is read from the file name: %s, %s", (path, kind) => expect(kindOfPath(path)).toBe(kind));

  it.each<[Kind, string]>([
    ["json", '  {"a": 1}'],
    ["json", '[{"a": 1}]'],
    ["json", "[-1, 2]"],
    ["json", "[true, false]"],
    ["json", "{ }"],
    ["prose", "{a} is a set"],
    ["prose", "[See the note]"],
    ["diff", "Some words\ndiff --git a/x b/x\n"],
    ["diff", "@@ -1,2 +1,2 @@\n a\n-b"],
    ["diff", "--- a/x\n+++ b/x\n"],
    ["prose", "We use diff --git here\nand there"],
    ["log", "2026-01-15 12:00:00 started\n2026-01-15 12:00:01 stopped"],
    ["log", "12:00:00 started\n12:00:01 stopped\nwhat it said\nand more"],
    ["log", "[WARNING] low\nINFO more"],
    ["log", "12:00:00 started\n\n\n \n12:00:01 stopped\n\n"],
    ["log", "Jan 15 12:00 host started\nFeb  1 12:00 host stopped"],
    ["prose", "In 2026-01-15 we met.\nIn 2026-01-16 we did not."],
    ["dialogue", "Ann: Hello.\nBob: Good morning.\nAnn: How are you?\nBob: Well."],
    ["dialogue", "[Ann Lee]: Hello.\nDr. O’Neill: Good morning."],
    ["prose", "Note: it rains.\nName: Ann.\nCity: Rome.\nYear: this one.\nEnd: now."],
    ["prose", "ann: Hello.\nbob: Good morning."],
    ["code", "import a\nfor x in y:\n    print(x)\n"],
    ["code", "a = 1;\nb = {\n// why\n}"],
    ["code", "@decorated\nx => y\n# why"],
    ["prose", "One line alone;"],
    ["prose", ""],
    ["prose", "import is a word\nand so it is said\nwithout any code"],
  ])("is recognised as %s from the text %j", (kind, text) => expect(recognise(text)).toBe(kind));

  it("is recognised from all short pieces together, but from the name of a named one", () => {
    const short = ["Ann: Hello.", "Bob: Good morning.", "Ann: Bye."].map((content) => ({ content }));
    expect(kindsOf(short)).toEqual(["dialogue", "dialogue", "dialogue"]);
    expect(kindsOf(short.slice(0, 1))).toEqual(["prose"]);
    const file = { id: "a.log", content: "Ann: Hello." };
    expect(kindsOf([file, ...short, { content: "x", kind: "code" }])).toEqual([
      "log",
      "dialogue",
      "dialogue",
      "dialogue",
      "code",
    ]);
    const long = { content: "a = 1;\nb = 2;\nc = 3;\nd = 4;" };
    expect(kindsOf([...short, long])).toEqual(["dialogue", "dialogue", "dialogue", "code"]);
    const said = Array.from({ length: 5 }, () => ({ content: "x = 1;", kind: "code" as const }));
    expect(kindsOf([...said, ...short.slice(0, 2)]).slice(4)).toEqual(["code", "dialogue", "dialogue"]);
  });
});

describe("a line of code", () => {
  it.each([
    "export const a = 1;",
    "import a from 'a'",
    "from a.b import c",
    "package main",
    "use std::io;",
    "#include <a.h>",
    "# define A 1",
    "public static final class A",
    "pub(crate) fn run() {",
    "async def run():",
    "  func (a *A) Run() error {",
    "interface A {",
    "type A = B;",
    "enum A {",
    "impl A for B {",
    "int main(int argc, char **argv) {",
    "  run(a, b) {",
    "const run = async (a) => a",
    "let run = a => a",
    "export const run = function () {",
  ])("is a signature: %s", (line) => expect(isSignature(line)).toBe(true));

  it.each([
    "if (a) {",
    "  for (const a of b) {",
    "while (a) {",
    "return run(a) {",
    "run(a);",
    "a = b;",
    "const a = 1",
    "exported()",
    "classes = 1",
    "",
  ])("is not a signature: %j", (line) => expect(isSignature(line)).toBe(false));

  it("is judged by its first 1,000 characters", () => {
    const rest = "x".repeat(2000);
    expect(isSignature(`class A { ${rest}`)).toBe(true);
    expect(isSignature(`run(a, ${rest}) {`)).toBe(false);
  });

  it.each([
    ["import a", true],
    ["from a import b", true],
    ["package a", true],
    ["use a;", true],
    ["using a;", true],
    ["  #include <a>", true],
    ["require 'a'", true],
    ["export a", false],
    ["fromage import", false],
    ["user a", false],
    ["a import", false],
  ])("%s is an import: %s", (line, expected) => expect(isImport(line)).toBe(expected));
});

describe("sentenceStarts()", () => {
  it.each(
    "Mr Mrs Ms Dr Prof St Jr Sr Lt Col Gen Sgt Rev Hon No Vol Fig Figs Eq Approx ca cf vs viz etc al e.g i.e Inc Ltd Corp Dept Est Jan Feb Sep Sept Dec A mr mrs ms dr prof st jr sr lt col gen sgt rev hon no vol fig figs eq eqs Eqs approx Ca inc ltd corp dept est jan feb mar Mar apr Apr jun Jun jul Jul aug Aug sep sept oct Oct nov Nov dec".split(
      " ",
    ),
  )("does not end a sentence after the abbreviation %s.", (word) => {
    expect(sentenceStarts(`So says ${word}. Moore of it.`)).toHaveLength(1);
    expect(sentenceStarts(`So says x${word}. Moore of it.`)).toHaveLength(2);
  });

  it.each([
    ["It rains. it pours.", 1],
    ["Dr. Moore came.", 1],
    ["(Dr. Moore came.)", 1],
    ["[Dr. Moore came.]", 1],
    ['"Dr. Moore came."', 1],
    ["“Dr. Moore came.”", 1],
    ["'Dr. Moore came.'", 1],
    ["The heading of a chapter\nA second short line\nA third short line\nA fourth", 4],
    ["| a. B |\nIt rains. It pours.", 3],
    ['It rains. "it pours."', 1],
    ["It rains! it pours.", 2],
    ["It rains… It pours.", 2],
    ["It rains.) It pours.", 2],
    ["It rains.It pours.", 1],
    ["| a. B | c. D |\n| e | f |", 2],
    ["雨です！晴れです。", 2],
  ])("splits %j into %d sentences", (text, count) => expect(sentenceStarts(text)).toHaveLength(count));
});

describe("redundanciesOf()", () => {
  const of = (kind: Kind, ...texts: string[]) =>
    redundanciesOf(texts.map((text) => ({ text, kind }) as Unit));

  it.each([
    "Licensed under the MIT licence",
    "This is licenced under the same",
    "Permission is hereby granted to all",
    "without warranty of any kind",
    "WITHOUT WARRANTIES OF ANY KIND",
    "SPDX-License-Identifier: MIT",
    "Read our cookie policy",
    "Please accept all cookies",
    "accept cookies",
    "Subscribe to our newsletter now",
    "the terms of use",
    "the terms of service",
    "our privacy policy",
    "click here to begin",
    "sign up for free today",
    "* Copyright (c) Acme",
    "copyright 2026 Acme",
  ])("marks text found on every page as boilerplate: %s", (text) =>
    expect(of("prose", text)).toEqual(["boilerplate"]),
  );

  it("marks a repetition as redundant only if the difference is insignificant", () => {
    const log = (...lines: string[]) => of("log", ...lines)[1];
    expect(log("took 5 ms at 10:00", "took 7 ms at 11:30")).toBe("redundant");
    expect(log("id 123e4567-e89b-12d3", "id 99999999-aaaa-bbbb")).toBe("redundant");
    expect(log("used 5% of 3GiB", "used 99% of 1kB")).toBe("redundant");
    expect(log("took long at home", "took long at work")).toBeUndefined();
    expect(log("node a1b2 is up", "node c3d4 is up")).toBeUndefined();
    for (const kind of ["prose", "dialogue"] as const) {
      expect(of(kind, "ab cd ef gh", "Gh, ef: cd ab!")[1]).toBe("redundant");
      expect(of(kind, "ab cd ef gh", "abc d efg h")[1]).toBeUndefined();
      expect(of(kind, "ab cd ef", "ab cd ef")[1]).toBeUndefined();
    }
  });
});

describe("structureOf()", () => {
  const weight = (kind: Kind, text: string) => structureOf({ kind, text } as Unit);

  it.each([
    ["diff --git a/x b/x", 1],
    ["--- a/x", 1],
    ["+++ b/x", 1],
    ["rename from x", 1],
    ["new file mode 100644", 1],
    ["deleted file mode 100644", 1],
    ["-gone", 0.5],
    ["see diff ", 0],
    ["a+b", 0],
  ])("weighs the diff line %s as %d", (line, expected) => expect(weight("diff", line)).toBe(expected));

  it.each([
    "FATAL",
    "panic:",
    "an exception",
    "it failed",
    "a failure",
    "Traceback",
    "critical",
    "segfault",
    "access denied",
  ])("weighs a log line about a failure as 1: %s", (line) => expect(weight("log", line)).toBe(1));

  it("weighs a log line with a warning as 0.5 and others as 0", () => {
    expect(weight("log", "warn: low")).toBe(0.5);
    expect(weight("log", "warned off")).toBe(0);
    expect(weight("log", "failsafe on")).toBe(0);
  });
});

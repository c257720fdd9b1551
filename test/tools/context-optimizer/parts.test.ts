import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeBlocks } from "../../../src/tools/context-optimizer/code-blocks.ts";
import type { Kind } from "../../../src/tools/context-optimizer/contract.ts";
import { gapsOf } from "../../../src/tools/context-optimizer/gaps.ts";
import { jsonStarts } from "../../../src/tools/context-optimizer/json-parts.ts";
import { lineStarts, shortened } from "../../../src/tools/context-optimizer/lines.ts";
import {
  conversationTermsOf,
  queryTermsOf,
} from "../../../src/tools/context-optimizer/relevance/query-terms.ts";
import { rank } from "../../../src/tools/context-optimizer/relevance/ranking.ts";
import { redundanciesOf } from "../../../src/tools/context-optimizer/relevance/redundancy.ts";
import { structureOf } from "../../../src/tools/context-optimizer/relevance/structure.ts";
import { sentenceStarts } from "../../../src/tools/context-optimizer/sentences.ts";
import { type Unit, unitsOf } from "../../../src/tools/context-optimizer/units.ts";

const segment = (content: string, kind?: Kind) => ({
  ...{ id: "", content, priority: 0, pinned: false },
  ...(kind && { kind }),
});
const units = (content: string, kind: Kind) => unitsOf([segment(content, kind)], 1000);
const pieces = (text: string, starts: readonly number[]) =>
  starts.map((start, index) => text.slice(start, starts[index + 1]));

describe("lines", () => {
  it("include their ending of any kind and the blank lines after them", () => {
    const text = "a\n\nb\r\n \t\r\nc\rd\n\n";
    expect(pieces(text, lineStarts(text))).toEqual(["a\n\n", "b\r\n \t\r\n", "c\r", "d\n\n"]);
  });

  it("are cut after a space in their second half, or at the limit, if they are too long", () => {
    const cut = (text: string, most: number) => pieces(text, shortened(text, [0], most));
    expect(cut("one two three", 8)).toEqual(["one two ", "three"]);
    expect(cut("a bcdefghijkl", 8)).toEqual(["a bcdefg", "hijkl"]);
    expect(cut("one two three", 9)).toEqual(["one two ", "three"]);
    expect(cut("12345678", 8)).toEqual(["12345678"]);
    expect(cut("123456789", 8)).toEqual(["12345678", "9"]);
    expect(pieces("ab\nabcd", shortened("ab\nabcd", [0, 3], 3))).toEqual(["ab\n", "abc", "d"]);
  });

  it("are not cut within a character and stay within the limit", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", " ", "é", "🙂") }),
        fc.integer({ min: 1, max: 9 }),
        (text, most) => {
          const cut = pieces(text, shortened(text, [0], most));
          expect(cut.join("")).toBe(text);
          for (const piece of cut) {
            expect(piece.isWellFormed()).toBe(true);
            expect(piece.length).toBeLessThanOrEqual(Math.max(2, most));
          }
        },
      ),
    );
  });
});

describe("sentences", () => {
  it.each([
    ["He met Dr. Moore. She left.", ["He met Dr. Moore. ", "She left."]],
    ["It costs approx. five. Yes.", ["It costs approx. five. ", "Yes."]],
    ["Made in the U.S.A. Today it rains.", ["Made in the U.S.A. Today it rains."]],
    ["It is done in Rome. Today it rains.", ["It is done in Rome. ", "Today it rains."]],
    ["He is a prof. in Rome. Yes.", ["He is a prof. in Rome. ", "Yes."]],
    ["It is a kerst. Yes.", ["It is a kerst. ", "Yes."]],
    ["Really?! Yes.", ["Really?! ", "Yes."]],
    ['He said "stop." Then he left.', ['He said "stop." ', "Then he left."]],
    ["これは本です。それは猫です。", ["これは本です。", "それは猫です。"]],
    ["One\n- two\n- three", ["One\n", "- two\n", "- three"]],
  ])("of %j are %j", (text, sentences) => expect(pieces(text, sentenceStarts(text))).toEqual(sentences));

  it("continue after the break of a wrapped line, but end at other line breaks", () => {
    const long = "This line is as long as lines are where texts are wrapped";
    expect(pieces(`${long}\nand goes on. End.`, sentenceStarts(`${long}\nand goes on. End.`))).toEqual([
      `${long}\nand goes on. `,
      "End.",
    ]);
    for (const next of ["- a point", "# Heading", "> quoted", "1. first", "| cell", "```", "<p>"]) {
      expect(sentenceStarts(`${long}\n${next}`)).toHaveLength(2);
    }
    expect(sentenceStarts("A short line\nand another")).toHaveLength(2);
    expect(sentenceStarts(`${long}\n\nand another`)).toHaveLength(2);
  });
});

describe("codeBlocks()", () => {
  it("returns single signatures, and code between them up to a blank line or ten lines", () => {
    const body = Array.from({ length: 12 }, (_, index) => `  step${index} += 1;\n`);
    const text = `import a from "a";\nfunction one(x) {\n${body.join("")}}\n\nclass Two {\n  run(x) {\n    go;\n  }\n}\n`;
    expect(pieces(text, codeBlocks(text))).toEqual([
      'import a from "a";\n',
      "function one(x) {\n",
      body.slice(0, 10).join(""),
      `${body.slice(10).join("")}}\n\n`,
      "class Two {\n",
      "  run(x) {\n",
      "    go;\n  }\n}\n",
    ]);
  });
});

describe("jsonStarts()", () => {
  it("splits at lines, or at commas of the outer levels if there are hardly any lines", () => {
    const lined = '{\n  "a": 1,\n  "b": 2\n}';
    expect(jsonStarts(lined)).toEqual(lineStarts(lined));
    const long = "x".repeat(400);
    const text = `{"a":"\\",${long}","b":[1,{"c":[5,6]}]}`;
    expect(pieces(text, jsonStarts(text))).toEqual([`{"a":"\\",${long}",`, '"b":[1,', '{"c":[5,6]}]}']);
  });
});

describe("units", () => {
  it("of a conversation know their speaker, also in continued turns", () => {
    const found = units("Ann: Hello there.\nand more\nBob: Good morning.\n", "dialogue");
    expect(found.map(({ speaker }) => speaker)).toEqual(["ann", "ann", "bob"]);
    expect(found[0]?.terms).not.toContain("ann");
  });

  it("count paragraphs by empty lines and segments", () => {
    const found = unitsOf([segment("One. Two.\n\nThree.", "prose"), segment("Four.", "prose")], 1000);
    expect(found.map(({ paragraph, segment }) => [paragraph, segment])).toEqual([
      [1, 0],
      [1, 0],
      [2, 0],
      [3, 1],
    ]);
  });
});

describe("query terms", () => {
  const talk = units("Ann Lee: The budget is small.\nBob: I see.\n", "dialogue");

  it("for sentences include every word, weighted by its frequency", () => {
    const { terms, weights, speakers } = queryTermsOf("Summarize budgets, the budget");
    expect(terms).toHaveLength(2);
    expect([...weights].sort()).toEqual([1, 2]);
    expect(speakers.size).toBe(0);
  });

  it("for conversations leave out speakers and question words, unless nothing else remains", () => {
    const named = conversationTermsOf("What did Ann Lee say about the packaging?", talk);
    expect(named.terms).toEqual(queryTermsOf("packaging").terms);
    expect([...named.speakers]).toEqual(["ann lee"]);
    expect(conversationTermsOf("Summarize the discussion", talk).terms).toEqual(
      queryTermsOf("Summarize the discussion").terms,
    );
    expect(conversationTermsOf("Who objects? Eve?", talk).speakers.size).toBe(0);
  });

  it("are limited to 64", () => {
    const words = Array.from({ length: 100 }, (_, at) => `w${String.fromCharCode(97 + (at % 26))}${at}x`);
    expect(queryTermsOf(words.join(" ")).terms).toHaveLength(64);
  });
});

describe("redundanciesOf()", () => {
  const of = (kind: Kind, ...texts: string[]) =>
    redundanciesOf(texts.map((text) => ({ text, kind }) as Unit));

  it("marks prose that repeats the words in another order, case, inflection or punctuation", () => {
    const [first, other] = ["The cats chase mice here.", "here: the CAT chases a mouse!"];
    expect(of("prose", first, other, "Here mice chase the CATS!", "The cat chased mouse, here.")).toEqual([
      undefined,
      undefined,
      "redundant",
      "redundant",
    ]);
    expect(of("prose", "Yes, it is.", "Yes, it is.")).toEqual([undefined, undefined]);
    expect(of("prose", "Yes, it is so.", "Yes, it is so.")).toEqual([undefined, "redundant"]);
  });

  it("marks log lines that differ only in numbers, times and ids", () => {
    const line = (id: string, took: string) => `2026-01-01T10:00:00Z INFO job ${id} done in ${took}`;
    expect(of("log", line("0xff", "12ms"), line("0x1a", "1.5s"), line("deadbeef01", "70ms"))).toEqual([
      undefined,
      "redundant",
      "redundant",
    ]);
    expect(of("log", "INFO job 1 done", "INFO job 2 failed")).toEqual([undefined, undefined]);
  });

  it("marks code that is identical except for surrounding blanks", () => {
    expect(of("code", "  return total;\n", "return total;", "return totals;", "}", "}")).toEqual([
      undefined,
      "redundant",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("marks copyright notices as boilerplate", () => {
    expect(
      of("prose", "Copyright 2026 Acme Ltd.", "© 2026 Acme", "All rights reserved.", "We copyright nothing."),
    ).toEqual(["boilerplate", "boilerplate", "boilerplate", undefined]);
  });
});

describe("rank()", () => {
  const order = (content: string, kind: Kind, query?: string) => {
    const found = units(content, kind);
    const { scores } = rank(found, query);
    const texts = found.map(({ text }) => text.trim());
    return texts.sort((a, b) => {
      const place = (text: string) => scores[found.findIndex((unit) => unit.text.trim() === text)] as number;
      return place(b) - place(a);
    });
  };

  it("puts sentences with the words of the query first, then those with parts of them or beside them", () => {
    const text =
      "A plain start. She databased things. Nothing here. The database broke. It was late. All else fell.";
    const ranked = order(text, "prose", "database");
    expect(ranked[0]).toBe("The database broke.");
    expect(ranked.slice(2, 5)).toEqual(expect.arrayContaining(["It was late.", "Nothing here."]));
    const parts = order(
      "The weather was fine.\n\nA microservice fell.\n\nOthers went on.",
      "prose",
      "services",
    );
    expect(parts[0]).toBe("A microservice fell.");
  });

  it("lends words to the next sentences within a paragraph, but not across paragraphs", () => {
    const beside = order("Ada built it.\n\nThe bridge stands. It is long.\n\nIt is old.", "prose", "bridge");
    expect(beside.slice(0, 2)).toEqual(["The bridge stands.", "It is long."]);
    const found = units("The bridge stands.\n\nIt is long.", "prose");
    expect(rank(found, "bridge").scores[1]).toBe(0);
  });

  it("matches words by parts of four letters", () => {
    const found = units("They compiled it.\n\nThe pilgrims left.\n\nNobody waited.", "prose");
    const { scores } = rank(found, "compiler");
    expect(scores[0]).toBeGreaterThan(0);
    expect(scores[2]).toBe(0);
  });

  it("puts the most central sentences first without a query", () => {
    const text = "Limits are counted by account. It rained. Limits of an account reset. A cat sat there.";
    expect(order(text, "prose").slice(0, 2).sort()).toEqual([
      "Limits are counted by account.",
      "Limits of an account reset.",
    ]);
  });

  it("names the method by which each kind was ranked", () => {
    const mixed = unitsOf([segment("A sentence.", "prose"), segment("INFO a\nWARN b\n", "log")], 1000);
    expect(rank(mixed, "a").method).toBe("prose:sentences+log:passages");
    expect(rank(mixed, " ").method).toBe("prose:centrality+log:centrality");
  });
});

describe("structureOf()", () => {
  const weight = (kind: Kind, text: string) => structureOf({ kind, text } as Unit);

  it.each<[Kind, string, number]>([
    ["code", "function a() {\n  b();", 1],
    ["code", "import a from 'a';", 0.5],
    ["code", "a += 1;\nfunction b() {", 0],
    ["diff", "@@ -1 +1 @@", 1],
    ["diff", "+added", 0.5],
    ["diff", " same", 0],
    ["log", "ERROR it broke", 1],
    ["log", "WARNING it may break", 0.5],
    ["log", "INFO terror averted", 0],
    ["json", '{"a": 1', 1],
    ["json", '  "a": 1', 0.5],
    ["json", '    "a": 1', 1 / 3],
    ["prose", "ERROR in prose", 0],
  ])("weighs %s in %j as %d", (kind, text, expected) => expect(weight(kind, text)).toBe(expected));
});

describe("gaps", () => {
  const texts = ["a one", "b two", "c three", "d four"].map((text) => ({ text, segment: 0 }) as Unit);
  const costs = [1, 2, 3, 4];

  it("join consecutive missing units of one reason, with their text and a preview", () => {
    expect(gapsOf(texts, costs, new Set([0]), [])).toMatchObject([
      { segment: 0, text: "b twoc threed four", reason: "less_relevant", preview: "b two" },
    ]);
    expect(gapsOf(texts, costs, new Set([2]), [undefined, "redundant"]).map(({ text }) => text)).toEqual([
      "a one",
      "b two",
      "d four",
    ]);
    const apart = texts.map((unit, index) => ({ ...unit, segment: index > 1 ? 1 : 0 }));
    expect(gapsOf(apart, costs, new Set(), []).map(({ text }) => text)).toEqual([
      "a oneb two",
      "c threed four",
    ]);
  });

  it("are limited to the 500 longest, in order", () => {
    const many = Array.from({ length: 1201 }, (_, index) => ({ text: `${index}`, segment: 0 }) as Unit);
    const kept = new Set([...many.keys()].filter((index) => index % 2 === 1));
    const gaps = gapsOf(many, [...many.keys()], kept, []);
    expect(gaps).toHaveLength(500);
    expect([gaps[0]?.preview, gaps.at(-1)?.preview]).toEqual(["202", "1200"]);
  });

  it("preview at most 80 characters", () => {
    const [gap] = gapsOf([{ text: ` ${"🙂 ".repeat(90)}`, segment: 0 } as Unit], [1], new Set(), []);
    expect([...(gap?.preview ?? "")]).toHaveLength(80);
    expect(gap?.preview).toMatch(/^🙂 🙂.*…$/);
    expect(gapsOf([{ text: "x".repeat(80), segment: 0 } as Unit], [1], new Set(), [])[0]?.preview).toBe(
      "x".repeat(80),
    );
  });
});

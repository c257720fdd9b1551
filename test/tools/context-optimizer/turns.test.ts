import { describe, expect, it } from "vitest";
import type { Kind } from "../../../src/tools/context-optimizer/contract.ts";
import { unitsOf } from "../../../src/tools/context-optimizer/units.ts";

it("a turn belongs to the last named speaker and contains only the text after the name", () => {
  const lines: [line: string, speaker: string | undefined, terms: string[]][] = [
    ["so it begins\n", undefined, ["begin"]],
    ["Ann: zorp\n", "ann", ["zorp"]],
    ["- note: blick\n", "ann", ["note", "blick"]],
    ["7of9: zorp\n", "7of9", ["zorp"]],
    ["[Dr. Who]: blick\n", "dr. who", ["blick"]],
    ["12:30 zorp\n", "dr. who", ["12", "30", "zorp"]],
    [`${"x".repeat(49)}: zorp\n`, "x".repeat(49), ["zorp"]],
    [`${"z".repeat(50)}: zorp\n`, "x".repeat(49), ["z".repeat(50), "zorp"]],
  ];
  const content = lines.map(([line]) => line).join("");
  const units = unitsOf([{ id: "", content, kind: "dialogue", priority: 0, pinned: false }], 1000);
  expect(units.map(({ text, speaker, terms }) => [text, speaker, terms])).toEqual(lines);
});

describe("units", () => {
  const units = (content: string, kind: Kind, longest = 1000) =>
    unitsOf([{ id: "", content, kind, priority: 0, pinned: false }], longest);

  it("begin a new paragraph after an empty or blank line", () => {
    const paragraphs = (content: string) => units(content, "log").map(({ paragraph }) => paragraph);
    expect(paragraphs("a\nb\nc")).toEqual([1, 1, 1]);
    expect(paragraphs("a\n\nb")).toEqual([1, 2]);
    expect(paragraphs("a\n \t\nb")).toEqual([1, 2]);
    expect(paragraphs("a\r\n\r\nb")).toEqual([1, 2]);
    expect(paragraphs("a\n\n\n\nb\nc")).toEqual([1, 2, 2]);
  });

  it("are cut at the maximum length, and are absent for an empty text", () => {
    expect(units("abcdefgh", "prose", 3).map(({ text }) => text)).toEqual(["abc", "def", "gh"]);
    expect(units("", "prose")).toEqual([]);
  });

  it("have a speaker only in a conversation", () => {
    expect(units("Ann: zorp\n", "log").map(({ speaker, terms }) => [speaker, terms])).toEqual([
      [undefined, ["ann", "zorp"]],
    ]);
    const [first, second] = unitsOf(
      ["Ann: zorp\n", "blick\n"].map((content) => ({
        id: "",
        content,
        kind: "dialogue",
        priority: 0,
        pinned: false,
      })),
      1000,
    );
    expect([first?.speaker, second?.speaker]).toEqual(["ann", undefined]);
  });
});

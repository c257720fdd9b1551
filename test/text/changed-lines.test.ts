import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applied, changedLines } from "../../src/text/changed-lines.ts";

describe("changedLines()", () => {
  it("numbers lines as in the original text, and joins edits of the same line", () => {
    const text = "one\ntwo\nthree\nfour\n";
    const edits = [
      { from: 0, to: 1, insert: "O" },
      { from: 2, to: 3, insert: "E" },
      { from: 14, to: 18, insert: "4\n5" },
    ];
    expect(changedLines(text, edits)).toEqual([
      { line: 1, removed: ["one"], inserted: ["OnE"] },
      { line: 4, removed: ["four"], inserted: ["4", "5"] },
    ]);
    expect(applied(text, edits)).toBe("OnE\ntwo\nthree\n4\n5\n");
  });

  it("joins edits of a last line without a line break, also those at its end", () => {
    const edits = [
      { from: 4, to: 5, insert: "T" },
      { from: 7, to: 7, insert: "!" },
    ];
    expect(changedLines("one\ntwo", edits)).toEqual([{ line: 2, removed: ["two"], inserted: ["Two!"] }]);
    const behind = ["a", "b"].map((insert) => ({ from: 4, to: 4, insert }));
    expect(changedLines("one\n", behind)).toEqual([{ line: 2, removed: [], inserted: ["ab"] }]);
  });

  it("numbers a line correctly after any number of earlier changes", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 3 });
    const lines = fc.array(line, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(19), { maxLength: 5 }), (texts, places) => {
        const text = texts.map((each) => `${each}\n`).join("");
        const wanted = [...new Set(places.map((place) => place % texts.length))].sort((a, b) => a - b);
        const startOf = (index: number) => texts.slice(0, index).join("\n").length + (index > 0 ? 1 : 0);
        const edits = wanted.map((index) => ({ from: startOf(index), to: startOf(index), insert: "x" }));
        expect(changedLines(text, edits)).toEqual(
          wanted.map((index) => ({
            line: index + 1,
            removed: [texts[index]],
            inserted: [`x${texts[index]}`],
          })),
        );
      }),
    );
  });
});

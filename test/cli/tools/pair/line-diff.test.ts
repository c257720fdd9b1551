import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editsBetween, merged } from "../../../../src/cli/tools/pair/line-diff.ts";
import { runs } from "../../../support/runs.ts";
import { applied } from "../../../tools/pair/pair.ts";

const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "a\r\n", "end", "😀\n", "😁\n");
const file = fc.array(line, { maxLength: 14 }).map((lines) => lines.join(""));

describe("editsBetween()", () => {
  it("returns sorted, separate edits that turn one text into the other", () => {
    fc.assert(
      fc.property(file, file, (before, after) => {
        const edits = editsBetween(before, after);
        expect(applied(before, edits)).toBe(after);
        let end = -1;
        for (const { from, to, insert } of edits) {
          expect(from).toBeGreaterThan(end);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to > from || insert !== "").toBe(true);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(before.length);
      }),
      { numRuns: runs(500) },
    );
  });

  it("covers only the parts that differ", () => {
    const before = "import a;\nimport b;\n\nlet x = 1;\nlet y = 2;\n";
    const after = "import a;\nimport c;\n\nlet x = 1;\nlet z = 2;\nlet w;\n";
    expect(editsBetween(before, after)).toEqual([
      { from: 17, to: 18, insert: "c" },
      { from: 36, to: 41, insert: "z = 2;\nlet w" },
    ]);
    expect(editsBetween(before, before)).toEqual([]);
    expect(editsBetween("", "x\n")).toEqual([{ from: 0, to: 0, insert: "x\n" }]);
    expect(editsBetween("x\n", "")).toEqual([{ from: 0, to: 2, insert: "" }]);
  });

  it("keeps surrogate pairs whole", () => {
    expect(editsBetween("😀\n", "😁\n")).toEqual([{ from: 0, to: 2, insert: "😁" }]);
  });

  it("handles large files with few or many differences", () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`);
    const changed = lines.map((text, index) => (index % 400 === 0 ? `changed ${text}` : text));
    expect(editsBetween(lines.join(""), changed.join(""))).toHaveLength(100);
    const other = lines.map((text) => `> ${text}`).join("");
    expect(applied(lines.join(""), editsBetween(lines.join(""), other))).toBe(other);
  });
});

describe("merged()", () => {
  it("holds both changes of a text if they are lines apart", () => {
    fc.assert(
      fc.property(file, file, file, file, (head, newHead, tail, newTail) => {
        const between = "\nkept\nbetween\n";
        const [before, one] = [head + between + tail, newHead + between + tail];
        const other = head + between + newTail;
        expect(merged(before, one, other)).toBe(newHead + between + newTail);
        expect(merged(before, other, one)).toBe(newHead + between + newTail);
        expect(merged(before, one, before)).toBe(one);
        expect(merged(before, before, one)).toBe(one);
        expect(merged(before, one, one)).toBe(one);
      }),
      { numRuns: runs(200) },
    );
  });

  it("holds what both changed alike once", () => {
    expect(merged("a\nb\nc\n", "x\nb\nc\n", "x\nb\nc\nd\n")).toBe("x\nb\nc\nd\n");
    expect(merged("a\nb\nc\n", "0\na\nb\nc\n", "0\na\nb\ny\n")).toBe("0\na\nb\ny\n");
  });

  it("is undefined for different changes of the same place", () => {
    expect(merged("a\nb\n", "x\nb\n", "y\nb\n")).toBeUndefined();
    expect(merged("a\nb\n", "a\nx\nb\n", "a\ny\nb\n")).toBeUndefined();
    expect(merged("a\nb\n", "", "a\nx\n")).toBeUndefined();
  });
});

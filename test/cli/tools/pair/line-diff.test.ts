import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editsBetween, merged } from "../../../../src/cli/tools/pair/line-diff.ts";
import { runs } from "../../../support/runs.ts";
import { applied } from "../../../tools/pair/pair.ts";

const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "a\r\n", "end", "😀\n", "😁\n");
const word = fc.stringMatching(/^[ab1 =é_]{1,9}$/).map((text) => `${text}\n`);
const file = fc.array(fc.oneof(line, word), { maxLength: 14 }).map((lines) => lines.join(""));

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

  it.each([
    ["const b = 2;\n", "const b = 22;\n", { from: 10, to: 11, insert: "22" }],
    ["const b = 2;\n", "const b = 33;\n", { from: 10, to: 11, insert: "33" }],
    ["total(count)\n", "total(counter)\n", { from: 6, to: 11, insert: "counter" }],
    ["total(count)\n", "total(account)\n", { from: 6, to: 11, insert: "account" }],
    ["max_tokens: 10\n", "max_input_tokens: 10\n", { from: 0, to: 10, insert: "max_input_tokens" }],
    ["f(a)\n", "f(a, b)\n", { from: 3, to: 3, insert: ", b" }],
    ["call();\n", "await call();\n", { from: 0, to: 0, insert: "await " }],
    ["x = größe;\n", "x = größer;\n", { from: 4, to: 9, insert: "größer" }],
    // Without spaces between words, the whole sentence would be one.
    ["他去了学校。\n", "他昨天去了学校。\n", { from: 1, to: 1, insert: "昨天" }],
    ["", "new\n", { from: 0, to: 0, insert: "new\n" }],
  ])("replaces whole words: %j becomes %j", (before, after, edit) => {
    expect(editsBetween(before, after)).toEqual([edit]);
  });

  it("splits words that are too long to be any, such as encoded data", () => {
    const data = "QUJD".repeat(1000);
    const after = `${data.slice(0, 2000)}x${data.slice(2000)}`;
    expect(editsBetween(data, after)).toEqual([{ from: 2000, to: 2000, insert: "x" }]);
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

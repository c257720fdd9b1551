import { describe, expect, it } from "vitest";
import { diffLines } from "../../../../src/cli/tools/pair/changed-lines.ts";
import { editsBetween } from "../../../../src/cli/tools/pair/line-diff.ts";
import { testIo } from "../../support/io.ts";

function shown(before: string, after: string, { columns = 80, most = 20 } = {}): string[] {
  const { io } = testIo({ terminal: true, columns });
  return diffLines(before, editsBetween(before, after), io.out, most);
}

describe("diffLines()", () => {
  it("shows whole lines with their numbers, and edits of one line together", () => {
    const before = "one\ntwo and two\nthree\n";
    expect(shown(before, "one\n2 and 2\nthree\n")).toEqual(["2 - two and two", "2 + 2 and 2"]);
    expect(shown(before, `zero\n${before}four`)).toEqual(["1 + zero", "4 + four"]);
    expect(shown(before, "one\n")).toEqual(["2 - two and two", "3 - three"]);
    expect(shown("", "a\nb\n")).toEqual(["1 + a", "2 + b"]);
    expect(shown("a", "a\n")).toEqual([]);
  });

  it("ends after the maximum of lines with the number of the rest", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`).join("");
    expect(shown("", lines, { most: 3 })).toEqual(
      [" 1 + 0", " 2 + 1", " 3 + 2", "… 27 more lines"].map((line) => line.trim()),
    );
  });

  it("wraps long lines at the terminal's width, and escapes control characters", () => {
    expect(shown("", `${"x".repeat(25)}\u001b[2J\t😀\n`, { columns: 29 })).toEqual([
      `1 + ${"x".repeat(20)}`,
      "    xxxxx␛[2J  😀",
    ]);
    const long = shown("", "x".repeat(1 << 20), { columns: 40, most: 5 });
    expect(long).toHaveLength(6);
  });
});

import { describe, expect, it } from "vitest";
import { fileHeadings } from "../../../../src/tools/self-healing/diagnostics/file-headings.ts";

const FINDING = "  12:5  error  No var  no-var";

/** Returns the headings of a log, and how many of its lines were read for them. */
function headingsOf(lines: readonly string[]) {
  const read = { lines: 0 };
  const headings = fileHeadings((index) => {
    read.lines++;
    return lines[index];
  });
  return { headings, read };
}

describe("the heading of a finding", () => {
  it.each<[string, string[], string | undefined]>([
    ["is right above", ["src/a.ts", FINDING], "src/a.ts"],
    ["is above other findings", ["src/a.ts", FINDING, FINDING], "src/a.ts"],
    ["is the nearer one", ["src/a.ts", FINDING, "src/b.ts", FINDING], "src/b.ts"],
    ["is not above a blank line", ["src/a.ts", "", FINDING], undefined],
    ["is not above other text", ["src/a.ts", "so it went on", FINDING], undefined],
    ["is not above the log", [FINDING, FINDING], undefined],
  ])("%s", (_, lines, file) => {
    expect(headingsOf(lines).headings.above(lines.length - 1)).toBe(file);
  });

  const report = [
    "src/a.ts",
    FINDING,
    FINDING,
    "",
    "src/b.ts",
    FINDING,
    "done",
    FINDING,
    "src/c.ts",
    FINDING,
  ];
  const files = [undefined, "src/a.ts", "src/a.ts", "src/a.ts", undefined];
  const others = ["src/b.ts", "src/b.ts", undefined, undefined, "src/c.ts"];

  it.each([
    ["up", [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ["down", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ["back and forth", [5, 1, 9, 2, 7, 1, 5, 9]],
  ])("is the same when lines are asked about %s", (_, order) => {
    const { headings } = headingsOf(report);
    expect(order.map((index) => headings.above(index))).toEqual(
      order.map((index) => [...files, ...others][index]),
    );
  });

  it.each([
    ["under one heading", "src/a.ts"],
    ["under none", "so it went on"],
  ])("is looked for once for all findings %s", (_, first) => {
    const lines = [first, ...Array.from({ length: 5000 }, () => FINDING)];
    for (const order of [[...lines.keys()], [...lines.keys()].reverse()]) {
      const { headings, read } = headingsOf(lines);
      for (const index of order) headings.above(index);
      expect(read.lines).toBeLessThan(2 * lines.length);
    }
  });
});

import { describe, expect, it } from "vitest";
import { optimize } from "../../../src/tools/context-optimizer/optimize.ts";
import { printed } from "../../../src/tools/context-optimizer/printed.ts";
import type { WholePiece } from "../../../src/tools/context-optimizer/retrieval/whole-pieces.ts";
import type { Unit } from "../../../src/tools/context-optimizer/units.ts";

const SEGMENTS = [{ id: "a" }, { id: "b" }];

describe("printed()", () => {
  const units = [
    ...["one", "two\n"].map((text) => ({ text, segment: 0 }) as Unit),
    ...["three", "four"].map((text) => ({ text, segment: 1 }) as Unit),
  ];

  it.each<[number[], string, string]>([
    [[], "", ""],
    [[0], "one", "==> a <==\none"],
    [[3], "four", "==> b <==\nfour"],
    [[0, 1], "onetwo\n", "==> a <==\nonetwo\n"],
    [[0, 2], "onethree", "==> a <==\none\n\n==> b <==\nthree"],
    [[1, 2], "two\nthree", "==> a <==\ntwo\n\n==> b <==\nthree"],
    [[1, 2, 3], "two\nthreefour", "==> a <==\ntwo\n\n==> b <==\nthreefour"],
  ])("prints segments, each named once: %j", (kept, plain, named) => {
    expect(printed(units, SEGMENTS, false).text(new Set(kept))).toBe(plain);
    expect(printed(units, SEGMENTS, true).text(new Set(kept))).toBe(named);
  });

  const pieces = [
    { text: "x\ny\n", segment: 0, from: 0, to: 2 },
    { text: "z\n", segment: 0, from: 2, to: 3 },
    { text: "v\nw\n", segment: 0, from: 3, to: 5 },
    { text: "q", segment: 1, from: 0, to: 1 },
    { text: "r", segment: 1, from: 1, to: 2 },
  ] as WholePiece[];

  it.each<[number[], string, string]>([
    [[0], "x\ny\n", "==> a:1-2 <==\nx\ny\n"],
    [[0, 1], "x\ny\nz\n", "==> a:1-3 <==\nx\ny\nz\n"],
    [[0, 1, 2], "x\ny\nz\nv\nw\n", "==> a:1-5 <==\nx\ny\nz\nv\nw\n"],
    [[0, 2], "x\ny\nv\nw\n", "==> a:1-2 <==\nx\ny\n\n==> a:4-5 <==\nv\nw\n"],
    [[2, 3], "v\nw\nq", "==> a:4-5 <==\nv\nw\n\n==> b:1-1 <==\nq"],
    [[1, 3, 4], "z\nqr", "==> a:3-3 <==\nz\n\n==> b:1-2 <==\nqr"],
  ])("prints pieces with line numbers, each run under its own heading: %j", (kept, plain, named) => {
    expect(printed(pieces, SEGMENTS, false).text(new Set(kept))).toBe(plain);
    expect(printed(pieces, SEGMENTS, true).text(new Set(kept))).toBe(named);
  });

  it("adds a heading at the start of a segment or run, and none if headings are off", () => {
    const [bySegment, byLines] = [printed(units, SEGMENTS, true), printed(pieces, SEGMENTS, true)];
    const none = new Set<number>();
    expect(bySegment.headingOf(1, none, none)).toBe("\n==> a <==\n");
    expect(bySegment.headingOf(3, new Set([1]), new Set([0]))).toBe("\n==> b <==\n");
    expect(bySegment.headingOf(2, new Set([1]), new Set([0]))).toBe("\n==> b <==\n");
    expect(bySegment.headingOf(0, new Set([1]), new Set([0]))).toBe("");
    expect(bySegment.headingOf(1, new Set([0]), new Set([0]))).toBe("");
    expect(byLines.headingOf(1, new Set([0]), new Set([0]))).toBe("");
    expect(byLines.headingOf(2, new Set([0]), new Set([0]))).toBe("\n==> a:4-5 <==\n");
    expect(byLines.headingOf(3, new Set([2]), new Set([0]))).toBe("\n==> b:1-1 <==\n");
    expect(printed(units, SEGMENTS, false).headingOf(0, none, none)).toBe("");
    expect(printed(pieces, SEGMENTS, false).headingOf(0, none, none)).toBe("");
  });
});

describe("a context that fits with its headings", () => {
  it("is left unchanged, including repetitions", async () => {
    const paragraph =
      "The store keeps each write before it answers, and a reader sees nothing that could be lost.\n\n";
    const content = `${paragraph}${paragraph}Something else stands between.\n\n${paragraph}`;
    const segments = ["a.md", "b.md"].map((id) => ({ id, content, priority: 0, pinned: false }));
    const {
      text,
      segments: left,
      tokens,
      method,
    } = await optimize({
      ...{ segments, headings: true, tokenizer: "o200k_base", budget: { maxTokens: 10_000 } },
    });
    expect(text).toBe(`==> a.md <==\n${content}\n==> b.md <==\n${content}`);
    expect(left).toEqual(segments.map(({ id }) => ({ id, content, whole: true })));
    expect(tokens).toMatchObject({ after: tokens.before, saved: 0 });
    expect(method).toBe("unchanged");
  });
});

import { describe, expect, it } from "vitest";
import type { ReportedError } from "../../../../src/tools/observability/reported-error.ts";
import { type Original, originalsOf } from "../../../../src/tools/observability/source-maps/restore.ts";
import { restoredStack, withOriginals } from "../../../../src/tools/observability/source-maps/restored.ts";

const place = (call: number) => ({ call, debugId: "d", line: 1, column: 1 });
const original = (file: string, name?: string): Original => ({
  file,
  line: 3,
  column: 5,
  ...(name && { name }),
});

describe("restoredStack()", () => {
  const stack = "E: one\ntwo\n    at n (app.js:1:1)\n    at app.js:1:2\n    at i (app.js:1:3)";
  const header = "E: one\ntwo";

  it("names a function as its caller calls it, or as reported if that is unknown", () => {
    const known = {
      places: [place(0), place(1), place(2)],
      originals: [original("a.ts", "inner"), original("b.ts", "outer"), original("c.ts")],
    };
    expect(restoredStack(stack, header, known)).toEqual({
      stack: "E: one\ntwo\n    at outer (a.ts:3:5)\n    at b.ts:3:5\n    at i (c.ts:3:5)",
      frames: [
        { at: 2, function: "outer", file: "a.ts", line: 3, column: 5 },
        { at: 3, file: "b.ts", line: 3, column: 5 },
        { at: 4, function: "i", file: "c.ts", line: 3, column: 5 },
      ],
    });
  });

  it("adds source lines to a restored call and leaves other calls unchanged", () => {
    const source = { from: 1, lines: ["x"] };
    const known = { places: [place(0), place(2)], originals: [null, { ...original("c.ts"), source }] };
    expect(restoredStack(stack, header, known)).toEqual({
      stack: stack.replace("at i (app.js:1:3)", "at i (c.ts:3:5)"),
      frames: [{ at: 4, function: "i", file: "c.ts", line: 3, column: 5, source }],
    });
  });

  it("returns undefined without originals or for a call that the stack does not have", () => {
    expect(restoredStack(stack, header, { places: [place(0)], originals: [null] })).toBeUndefined();
    expect(restoredStack(stack, header, { places: [place(0)], originals: [] })).toBeUndefined();
    expect(
      restoredStack(stack, header, { places: [place(3)], originals: [original("a.ts")] }),
    ).toBeUndefined();
  });
});

describe("withOriginals()", () => {
  const told = (...files: string[]): ReportedError => ({
    ...{ source: "client", type: "E", message: "m", at: 0 },
    frames: files.map((file) => ({ function: "n", file, inApp: false })),
  });

  it("restores file, name and inApp of known frames, and leaves others unchanged", () => {
    const { frames } = withOriginals(told("a.js", "b.js", "c.js", "d.js"), {
      places: [place(0), place(1), place(2)],
      originals: [original("src/a.ts", "inner"), original("x/node_modules/lib/b.ts", "outer"), null],
    });
    expect(frames).toEqual([
      { function: "outer", file: "src/a.ts", inApp: true },
      { function: undefined, file: "x/node_modules/lib/b.ts", inApp: false },
      { function: "n", file: "c.js", inApp: false },
      { function: "n", file: "d.js", inApp: false },
    ]);
    const own = (file: string) =>
      withOriginals(told("a.js"), { places: [place(0)], originals: [original(file)] }).frames[0]?.inApp;
    expect([own("node_modules/a.ts"), own("my_node_modules/a.ts")]).toEqual([false, true]);
  });
});

describe("originalsOf()", () => {
  const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
  /** Returns a map of which place 1:1 is the given line of a source. */
  const map = (line: number, more: object = {}) => ({
    ...{ version: 3, sources: ["a.ts"], sourcesContent: [lines.join("\n")], names: ["x"] },
    mappings: `AA${"ACEGIKMOQSUWY"[line - 1]}A`,
    ...more,
  });
  const at = { line: 1, column: 1 };
  const around = (line: number) => originalsOf(map(line) as never, [at])[0]?.source;

  it("returns five source lines before and after the place", () => {
    expect(around(7)).toEqual({ from: 2, lines: lines.slice(1, 12) });
    expect(around(6)).toEqual({ from: 1, lines: lines.slice(0, 11) });
    expect(around(1)).toEqual({ from: 1, lines: lines.slice(0, 6) });
    expect(around(12)).toEqual({ from: 7, lines: lines.slice(6) });
  });

  it("truncates long file names and source lines, and joins lines in a file name", () => {
    const long = "x".repeat(299);
    const [found] = originalsOf(
      map(1, { sources: [`a\n${"b".repeat(600)}`], sourcesContent: [`${long}😀`] }) as never,
      [at],
    );
    expect(found?.file).toBe(`a ${"b".repeat(498)}`);
    expect(found?.source?.lines).toEqual([`${long}\ufffd`]);
    const [plain] = originalsOf(map(1, { sourcesContent: [null] }) as never, [at]);
    expect(plain).toEqual({ file: "a.ts", line: 1, column: 1 });
  });

  it("returns null above the first line or before the first column", () => {
    const places = [at, { line: 0, column: 1 }, { line: 1, column: 0 }, { line: 2, column: 1 }];
    expect(originalsOf(map(1) as never, places).map((found) => found !== null)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS } from "../../../../src/tools/context-optimizer/contract.ts";
import { wholePieces } from "../../../../src/tools/context-optimizer/retrieval/whole-pieces.ts";

const NO_CUT = 1e6;

function piecesOf(content: string, kind: (typeof KINDS)[number]) {
  return wholePieces([{ content }], [kind], NO_CUT);
}

const PYTHON = `import os

LIMIT = 3


@cached
def load(
    path,
):
    """Reads it.

    def not_this_one
    """
    with open(path) as file:
        return file.read()


class Parser(Base):
    """Parses."""

    size = 1

    def parse(self, text):
        def inner():
            return text
        return inner()

    # What follows is new.
    async def feed(self): ...


print(load("x"))
`;

const TYPESCRIPT = `import { a } from "./a.ts";

/** What it does. */
export function first(
  text: string,
): number {
  if (text) {
    return 1;
  }
  return 0;
}

export class Store<T> extends Base {
  readonly #rows = new Map();

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  async put(id: string, row: T) {
    this.#rows.set(id, row);
  }
}

const later = () => {
  first("x");
};
`;

describe("wholePieces()", () => {
  const line = fc.constantFrom(
    "",
    "  ",
    "def f():",
    "class A:",
    "  return 1",
    "}",
    "{",
    "# x",
    "@a",
    "function f() {",
    "[",
    "  {",
    '"a": 1,',
    "# Head",
    "\r",
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 80 }), fc.constantFrom("\n", "\r\n"), fc.string())
    .map(([lines, end, tail]) => lines.join(end) + tail);

  it("returns pieces that join to the original text, each within the maximum length", () => {
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 3 }),
        fc.constantFrom(...KINDS),
        fc.integer({ min: 2, max: 200 }),
        (texts, kind, longest) => {
          const pieces = wholePieces(
            texts.map((content) => ({ content })),
            texts.map(() => kind),
            longest,
          );
          expect(
            texts.map((_, segment) =>
              pieces
                .filter((piece) => piece.segment === segment)
                .map((piece) => piece.text)
                .join(""),
            ),
          ).toEqual(texts);
          for (const piece of pieces) expect(piece.text.length).toBeLessThanOrEqual(longest + 1);
        },
      ),
    );
  });

  it("returns the line numbers of each piece", () => {
    const lines = PYTHON.split("\n");
    for (const { text, from, to } of piecesOf(PYTHON, "code")) {
      expect(text).toBe(`${lines.slice(from, to).join("\n")}\n`);
    }
  });

  it("splits Python into functions and methods with the lines above them, and the rest", () => {
    const found = piecesOf(PYTHON, "code").map(({ text, names }) => [
      names.join("."),
      text.trim().split("\n")[0],
    ]);
    expect(found).toEqual([
      ["", "import os"],
      ["load", "@cached"],
      ["Parser", "class Parser(Base):"],
      ["Parser.parse", "def parse(self, text):"],
      ["Parser.feed", "# What follows is new."],
      ["", 'print(load("x"))'],
    ]);
  });

  it("splits TypeScript into functions and methods with the lines above them, and the rest", () => {
    const found = piecesOf(TYPESCRIPT, "code").map(({ text, names }) => [
      names.join("."),
      text.trim().split("\n")[0],
    ]);
    expect(found).toEqual([
      ["", 'import { a } from "./a.ts";'],
      ["first", "/** What it does. */"],
      ["Store", "export class Store<T> extends Base {"],
      ["Store.get", "get(id: string): T | undefined {"],
      ["Store.put", "async put(id: string, row: T) {"],
      ["later", "const later = () => {"],
    ]);
  });

  it.each([[1], [undefined]])("splits JSON into whole records, with indent %s", (indent) => {
    const orders = Array.from({ length: 5 }, (_, id) => ({
      id,
      lines: [{ sku: `s${id}`, note: "} {" }],
      to: { town: "x" },
    }));
    const json = JSON.stringify({ page: { at: 1 }, orders }, null, indent);
    const records = piecesOf(json, "json").slice(1);
    expect(records).toHaveLength(5);
    for (const [id, { text }] of records.entries()) {
      const record = text.slice(0, text.lastIndexOf("}") + 1).replace(/\s*\]\s*\}$/, "");
      expect(JSON.parse(record)).toEqual(orders[id]);
    }
  });

  it("splits prose into sections under their headings", () => {
    const found = piecesOf("Intro\n\n# One\ntext\n## Two\nmore\n", "prose").map(({ text, names }) => [
      text,
      names[0],
    ]);
    expect(found).toEqual([
      ["Intro\n\n", undefined],
      ["# One\ntext\n", "One"],
      ["## Two\nmore\n", "Two"],
    ]);
  });

  it.each([
    ["at the last blank line within 50 lines", [30, 40, 70], [41, 71]],
    ["after 50 lines without a blank line", [], [50]],
    ["after 50 lines with blank lines only in the first half", [10, 23, 60], [50]],
  ])("cuts a long function into pieces with its name, %s", (_, blank, cuts) => {
    const body = Array.from({ length: 90 }, (_, line) =>
      blank.includes(line + 1) ? "" : `  call(${line});`,
    );
    const pieces = piecesOf(["function long() {", ...body, "}", ""].join("\n"), "code");
    expect(pieces.map(({ names, from, to }) => [names, from, to])).toEqual(
      [...cuts, 92].map((to, index) => [["long"], [0, ...cuts][index], to]),
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inParts, jsonText } from "../../src/contract/json-text.ts";

async function piecesOf(members: Record<string, unknown>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of jsonText(members)) pieces.push(piece);
  return pieces;
}

describe("jsonText()", () => {
  it("produces the same text as JSON.stringify() if members come in parts", async () => {
    const parts = fc.array(fc.array(fc.jsonValue(), { maxLength: 3 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        parts,
        parts,
        async (plain, inTurn, later) => {
          const text = await piecesOf({
            ...plain,
            "in parts": inTurn[Symbol.iterator](),
            "in parts later": (async function* () {
              yield* later;
            })(),
            last: () => later.length,
          });
          const whole = {
            ...plain,
            "in parts": inTurn.flat(),
            "in parts later": later.flat(),
            last: later.length,
          };
          expect(text.join("")).toBe(JSON.stringify(whole));
        },
      ),
    );
    expect(await piecesOf({})).toEqual(["{}"]);
  });

  it("yields pieces of 64 to 65 KiB", async () => {
    function* parts() {
      for (let count = 0; count < 1000; count++) yield Array<string>(100).fill("0123456789");
    }
    const pieces = await piecesOf({ items: parts() });
    expect(JSON.parse(pieces.join("")).items).toHaveLength(100_000);
    expect(pieces.length).toBeGreaterThan(10);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece.length).toBeGreaterThanOrEqual(64 * 1024);
      expect(piece.length).toBeLessThan(65 * 1024);
    }
  });

  it("yields long strings in pieces too, wherever they are", async () => {
    const texts = ["x", "\u0001", '"\\', "😀", "y😀", "\ud83d", "\ude00\ud83d"].map((unit) =>
      unit.repeat(300_000 / unit.length),
    );
    const items = [texts, { files: texts.map((content) => ({ content, none: undefined })) }, null, 1, "z"];
    const pieces = await piecesOf({ items: [items].values(), after: true });
    expect(pieces.join("")).toBe(JSON.stringify({ items, after: true }));
    for (const piece of pieces) expect(piece.length).toBeLessThan(4 * 64 * 1024);
  });

  it("calls a function member only after the members before it", async () => {
    let read = 0;
    function* parts() {
      for (let count = 0; count < 3; count++) yield [++read];
    }
    expect((await piecesOf({ items: parts(), read: () => read })).join("")).toBe(
      '{"items":[1,2,3],"read":3}',
    );
  });

  it("yields to the event loop between pieces", async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const pieces = await piecesOf({
      long: Array.from({ length: 20 }, () => ["x".repeat(64 * 1024)]).values(),
    });
    isOver = true;
    expect(pieces.length).toBeGreaterThan(19);
    expect(turns).toBeGreaterThan(18);
  });
});

describe("inParts()", () => {
  it.each([
    [[], []],
    [[4, 6], [[4, 6]]],
    [
      [4, 7],
      [[4], [7]],
    ],
    [
      [20, 1, 20],
      [[20], [1], [20]],
    ],
    [
      [3, 3, 3, 3, 3, 3, 3],
      [[3, 3, 3], [3, 3, 3], [3]],
    ],
  ])("divides items of %j characters into parts of at most ten, or one item", (sizes, parts) => {
    const items = sizes.map((size) => ({ size }));
    expect(inParts(items, 10).map((part) => part.map(({ size }) => size))).toEqual(parts);
  });
});

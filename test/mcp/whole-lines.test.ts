import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wholeLines } from "../../src/mcp/whole-lines.ts";

/** Returns what is passed on of a text that arrives in pieces. */
function passed(pieces: readonly Buffer[], mostBytes = 1 << 20): Promise<Buffer[]> {
  return new Promise((resolve) => {
    const lines = wholeLines(mostBytes);
    const got: Buffer[] = [];
    lines.on("data", (piece: Buffer) => got.push(piece));
    lines.on("end", () => resolve(got));
    for (const piece of pieces) lines.write(piece);
    lines.end();
  });
}

describe("wholeLines()", () => {
  it("passes on whole lines, unchanged and in order, from pieces of any size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme" }).map((text) => `${text.replaceAll("\n", "")}\n`)),
        fc.array(fc.nat(40)),
        async (lines, cuts) => {
          const whole = Buffer.from(lines.join(""));
          const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
          const pieces = places.slice(1).map((end, index) => whole.subarray(places[index], end));
          const got = await passed(pieces.filter(({ length }) => length > 0));
          expect(Buffer.concat(got)).toEqual(whole);
          for (const piece of got) expect(piece.at(-1)).toBe(10);
        },
      ),
    );
  });

  it("passes on an unfinished line above the size limit", async () => {
    const piece = Buffer.alloc(60, "x");
    const got = await passed([piece, piece, Buffer.from("\n")], 100);
    expect(got.map(({ length }) => length)).toEqual([120, 1]);
  });
});

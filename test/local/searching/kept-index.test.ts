import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readIndex, writeIndex } from "../../../src/local/searching/kept-index.ts";
import type { CacheFile } from "../../../src/repository/cache-file.ts";
import { codePoint } from "../../support/code-point.ts";

function inMemory(): CacheFile & { contents: Buffer | undefined } {
  return {
    contents: undefined,
    read() {
      return this.contents;
    },
    write(contents) {
      this.contents = Buffer.from(contents);
    },
  };
}

const line = fc.nat(100_000);
const piece = fc
  .record({
    names: fc.array(fc.string({ unit: codePoint }), { maxLength: 3 }),
    from: line,
    to: line,
    terms: fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(255)), { maxLength: 20 }),
  })
  .map(({ terms, ...rest }) => ({
    ...rest,
    terms: Uint32Array.from(terms, ([term]) => term),
    counts: Uint8Array.from(terms, ([, count]) => count),
  }));
const index = fc
  .dictionary(fc.string(), fc.array(piece, { maxLength: 4 }))
  .map((of) => new Map(Object.entries(of)));

const plain = (of: ReadonlyMap<string, readonly { terms: Uint32Array; counts: Uint8Array }[]>) =>
  [...of].map(([key, pieces]) => [
    key,
    pieces.map((each) => ({ ...each, terms: [...each.terms], counts: [...each.counts] })),
  ]);

describe("writeIndex() and readIndex()", () => {
  it("restore an index with any names", () => {
    fc.assert(
      fc.property(index, (written) => {
        const file = inMemory();
        writeIndex(file, written);
        expect(plain(readIndex(file))).toEqual(plain(written));
      }),
    );
  });

  it("give an empty index for a file that is cut off, damaged or of another version", () => {
    const file = inMemory();
    const pieces = [{ names: ["a"], from: 0, to: 1, terms: Uint32Array.of(7), counts: Uint8Array.of(1) }];
    writeIndex(file, new Map([["a", pieces]]));
    const whole = file.contents as Buffer;
    expect(readIndex(file).size).toBe(1);
    const other = Buffer.from(whole.toString("latin1").replace(/"form":\d+/, '"form":0'), "latin1");
    for (const contents of [Buffer.alloc(0), Buffer.from("[\n"), whole.subarray(0, -5), other]) {
      file.contents = contents;
      expect(readIndex(file).size).toBe(0);
    }
  });
});

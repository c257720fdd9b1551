import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inUtf8 } from "../../../src/cli/terminal/utf16.ts";

const LOG = "> shop@1.0.0 build\r\n✖ Größe 🛒: error TS2322: Type 'string' is not assignable.\r\n";
const little = (text: string) => Buffer.from(text, "utf16le");
const big = (text: string) => little(text).swap16();

/** Decodes bytes that arrive in pieces of this size. */
async function read(bytes: Buffer, size = bytes.length): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read: Buffer[] = [];
  for await (const piece of inUtf8(pieces())) read.push(piece);
  return Buffer.concat(read).toString("utf8");
}

describe("inUtf8() with a log in UTF-16", () => {
  it.each([
    ["in Windows' order with its mark", little(`\ufeff${LOG}`)],
    ["in the other order with its mark", big(`\ufeff${LOG}`)],
    ["in Windows' order without a mark", little(LOG)],
    ["in the other order without a mark", big(LOG)],
  ])("decodes a log %s, in pieces of any size", async (_, bytes) => {
    expect(await read(bytes)).toBe(LOG);
    for (const size of [1, 3, 7, 4096]) {
      const long = Buffer.concat([bytes, ...Array.from({ length: 60 }, () => bytes.subarray(2))]);
      expect(await read(long, size)).toBe(await read(long));
    }
  });

  it("preserves any text after a byte order mark", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.boolean(), async (text, isBig) => {
        expect(await read((isBig ? big : little)(`\ufeff${text}`), 5)).toBe(text);
      }),
    );
  });
});

describe("inUtf8() with other bytes", () => {
  it.each([
    ["nothing", ""],
    ["UTF-8", LOG],
    ["UTF-8 with its mark", `\ufeff${LOG}`],
    ["one letter", "x"],
    ["binary, with zeros in both places", "\0\0\0\u0001\0\0\u0002\0"],
  ])("returns the bytes unchanged: %s", async (_, text) => {
    for (const size of [1, 5, 9000]) expect(await read(Buffer.from(text), size)).toBe(text);
  });
});

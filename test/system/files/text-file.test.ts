import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, readTextFile } from "../../../src/system/files/text-file.ts";
import { temporaryDirectory } from "../../support/store.ts";

const text = fc.string({ unit: "grapheme" }).filter((each) => !each.startsWith("\ufeff"));
const little = (each: string) => Buffer.from(each, "utf16le");

describe("a text that a person wrote", () => {
  it.each<[string, (text: string) => Buffer]>([
    ["UTF-8", (each) => Buffer.from(each)],
    ["UTF-8 with a byte order mark", (each) => Buffer.from(`\ufeff${each}`)],
    ["UTF-16 in Windows' order", (each) => little(`\ufeff${each}`)],
    ["UTF-16 in the other order", (each) => little(`\ufeff${each}`).swap16()],
  ])("is read in %s", (_, encoded) => {
    fc.assert(fc.property(text, (each) => decodeText(encoded(each)) === each));
    const file = join(temporaryDirectory(), "text");
    writeFileSync(file, encoded("Überall\n"));
    expect(readTextFile(file)).toBe("Überall\n");
  });
});

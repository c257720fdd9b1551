import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entriesOf, unpacked } from "../../../../src/tools/observability/source-maps/zip.ts";
import { zipOf } from "../../../support/source-maps.ts";

const MiB = 1024 * 1024;

describe("a zip archive", () => {
  it("is read back as it was written, with any bytes before it", () => {
    const files = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 200 }), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(files, fc.stringMatching(/^[ -~]{0,20}$/), (given, before) => {
        const entries = entriesOf(zipOf(given, { before }), 1000);
        const found = [...entries].map(([name, entry]) => [name, unpacked(entry, MiB).toString()]);
        expect(Object.fromEntries(found)).toEqual(given);
      }),
    );
  });

  it("is read or refused with invalid_request after random damage", () => {
    const whole = zipOf({ "a.js.map": "{}".repeat(50), "manifest.json": "{}" });
    const change = fc.record({ at: fc.nat({ max: whole.length - 1 }), to: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: whole.length }),
        (changes, cut) => {
          const broken = Buffer.from(whole);
          for (const { at, to } of changes) broken[at] = to;
          for (const archive of [broken, broken.subarray(0, cut)]) {
            try {
              for (const entry of entriesOf(archive, 10).values()) unpacked(entry, MiB);
            } catch (error) {
              expect((error as { error?: string }).error).toBe("invalid_request");
            }
          }
        },
      ),
    );
  });

  it("is refused beyond the unpacked limit even if it declares a small size", () => {
    const archive = zipOf({ bomb: Buffer.alloc(50 * MiB) });
    // Changes the unpacked length, both in the directory and before the file.
    for (let at = archive.indexOf("PK"); at >= 0; at = archive.indexOf("PK", at + 1)) {
      const field = at + (archive[at + 2] === 1 ? 24 : 22);
      if (archive[at + 2] === 1 || archive[at + 2] === 3) archive.writeUInt32LE(10, field);
    }
    const [entry] = entriesOf(archive, 10).values();
    if (!entry) throw new Error("no entry");
    expect(() => unpacked(entry, MiB)).toThrow("more than 1 MiB unpacked");
  });

  it("is refused if it holds more files than the limit", () => {
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}`, ""]));
    expect(() => entriesOf(zipOf(files), 10)).toThrow("more than 10 files");
  });
});

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { mapsIn } from "../../../../src/tools/observability/source-maps/bundle.ts";
import { debugIdOf } from "../../../../src/tools/observability/source-maps/debug-id.ts";
import { framed, unframed } from "../../../../src/tools/observability/source-maps/framed.ts";
import { entriesOf, unpacked } from "../../../../src/tools/observability/source-maps/zip.ts";
import { mapOf, zipOf } from "../../../support/source-maps.ts";

const ID = "2dd09581-5d60-5c37-b71b-74f71c20e2e4";
const refusal = (of: () => unknown): string => {
  try {
    of();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It was taken.");
};

/** Writes a 16-bit number into the first record of a kind: 1 in the directory, 3 before a file, 5 at the end. */
function changed(archive: Buffer, kind: 1 | 3 | 5, at: number, value: number): Buffer {
  const copy = Buffer.from(archive);
  copy.writeUInt16LE(value, copy.indexOf(Buffer.from([0x50, 0x4b, kind, kind + 1])) + at);
  return copy;
}

describe("a zip archive", () => {
  const archive = zipOf({ "a.js": "one", "b.js": "two" }, { before: "" });

  it("may end with a comment and hold uncompressed files", () => {
    const comment = Buffer.alloc(0xffff, "x");
    const names = (given: Buffer) => [...entriesOf(given, 2).keys()];
    expect(names(Buffer.concat([archive, comment]))).toEqual(["a.js", "b.js"]);
    expect(refusal(() => entriesOf(Buffer.concat([archive, comment, Buffer.from("x")]), 2))).toContain(
      "no zip",
    );
    const stored = changed(changed(archive, 1, 10, 0), 3, 8, 0);
    const [entry] = entriesOf(stored, 2).values();
    expect(entry?.method).toBe(0);
    expect(unpacked(entry as NonNullable<typeof entry>, 1000)).toEqual(deflateRawSync("one"));
    expect(refusal(() => unpacked({ name: "a", method: 0, bytes: Buffer.alloc(11) }, 10))).toContain(
      "more than",
    );
    expect(unpacked({ name: "a", method: 0, bytes: Buffer.alloc(10) }, 10)).toHaveLength(10);
  });

  it("may have extra fields in local headers and in its directory", () => {
    const parts = zipOf({ "a.js": "one" }, { before: "" });
    const [local, directory] = [parts.indexOf("PK\x03\x04"), parts.indexOf("PK\x01\x02")];
    const extra = Buffer.from("extra");
    const between = Buffer.concat([parts.subarray(local, 34), extra, parts.subarray(34, directory)]);
    between.writeUInt16LE(extra.length, 28);
    const listed = Buffer.concat([parts.subarray(directory, directory + 50), extra, extra]);
    listed.writeUInt16LE(extra.length, 30);
    listed.writeUInt16LE(extra.length, 32);
    const end = Buffer.from(parts.subarray(directory + 50));
    end.writeUInt32LE(listed.length, 12);
    end.writeUInt32LE(between.length, 16);
    const [entry] = entriesOf(Buffer.concat([between, listed, end]), 1).values();
    expect(entry?.name).toBe("a.js");
    expect(unpacked(entry as NonNullable<typeof entry>, 100).toString()).toBe("one");
  });

  it.each<[string, Buffer]>([
    ["it is no zip archive", Buffer.alloc(0)],
    ["it is no zip archive", archive.subarray(0, archive.length - 1)],
    ["it is encrypted", changed(archive, 1, 8, 1)],
    ["it is packed in a way that is not known", changed(archive, 1, 10, 9)],
    ["its directory does not fit it", changed(archive, 5, 10, 3)],
    ["its directory lies outside of it", changed(archive, 5, 12, 0xffff)],
    ["its directory does not fit it", changed(archive, 1, 0, 7)],
    ["its directory does not fit it", changed(archive, 3, 0, 7)],
    ["its directory does not fit it", changed(archive, 1, 42, 0xffff)],
    ["a file of it ends outside of it", changed(archive, 1, 20, 0xffff)],
  ])("is refused because %s", (why, given) => expect(refusal(() => entriesOf(given, 10))).toContain(why));

  it("is refused if it holds more files than the limit", () => {
    expect(entriesOf(archive, 2).size).toBe(2);
    expect(refusal(() => entriesOf(archive, 1))).toContain("more than 1 files");
  });

  it("is refused with the name of a broken file, cut to 200 characters", () => {
    const entry = { name: "a".repeat(300), method: 8, bytes: Buffer.from("none") };
    expect(refusal(() => unpacked(entry, 100))).toContain(`"${"a".repeat(200)}" is broken`);
  });
});

describe("mapsIn()", () => {
  const bundle = (files: Record<string, unknown>, contents: Record<string, string | Buffer>) =>
    zipOf({ ...contents, "manifest.json": JSON.stringify({ files }) });
  const map = JSON.stringify(mapOf("a.ts"));
  const listed = { type: "source_map", url: "~/a.js.map", headers: { "Debug-ID": ID } };

  it("returns the maps that have a debug id, still compressed", () => {
    const [found, ...others] = mapsIn(
      bundle(
        {
          "a.map": listed,
          "b.map": { ...listed, type: "minified_source" },
          "c.map": { ...listed, headers: {} },
          "d.map": { ...listed, headers: null },
          "e.map": listed,
          "f.map": null,
          "g.map": 7,
        },
        { "a.map": map, "b.map": map, "c.map": map, "d.map": map, "f.map": map, "g.map": map },
      ),
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({ debugId: ID, url: "~/a.js.map" });
    expect(inflateRawSync(found?.packed as Buffer).toString()).toBe(map);
  });

  it("names a map by its URL, or by its file name if it has none", () => {
    const urlOf = (url: unknown) => mapsIn(bundle({ "a.map": { ...listed, url } }, { "a.map": map }))[0]?.url;
    expect([urlOf("~/x"), urlOf(7), urlOf(undefined)]).toEqual(["~/x", "a.map", "a.map"]);
    expect(urlOf(`${"x".repeat(299)}😀`)).toBe(`${"x".repeat(299)}\ufffd`);
  });

  it("compresses a map that was stored uncompressed", () => {
    const packed = bundle({ "a.map": listed }, { "a.map": map });
    const stored = Buffer.from(packed);
    const text = deflateRawSync(map);
    // As long as the packed map, so that no offsets change.
    const other = Buffer.from('{"version":3,"sources":[],"mappings":""}'.padEnd(text.length, " "));
    expect(other).toHaveLength(text.length);
    other.copy(stored, stored.indexOf(text));
    for (const [kind, at] of [
      ["PK\x03\x04", 8],
      ["PK\x01\x02", 10],
    ] as const)
      stored.writeUInt16LE(0, stored.indexOf(kind) + at);
    const [found] = mapsIn(stored);
    expect(inflateRawSync(found?.packed as Buffer)).toEqual(other);
  });

  it.each<[string, Buffer]>([
    ["it has no manifest.json", zipOf({ a: "" })],
    ["its manifest.json is none", zipOf({ "manifest.json": "{" })],
    ["its manifest.json is none", zipOf({ "manifest.json": "null" })],
    ["its manifest.json lists no files", zipOf({ "manifest.json": "{}" })],
    ["its manifest.json lists no files", zipOf({ "manifest.json": '{"files":null}' })],
    ["none of its source maps has a debug id", bundle({}, {})],
    ['"a.map" is no JSON', bundle({ "a.map": listed }, { "a.map": "{" })],
  ])("refuses a bundle because %s", (why, given) => expect(refusal(() => mapsIn(given))).toContain(why));
});

describe("debugIdOf()", () => {
  it.each([
    [ID, ID],
    [ID.toUpperCase(), ID],
    [ID.replaceAll("-", ""), ID],
    [`${ID}-abc`, ID],
    [ID.slice(1), undefined],
    [`x${ID}`, undefined],
    [7, undefined],
  ])("maps %s to %s", (given, expected) => expect(debugIdOf(given)).toBe(expected));
});

it("unframed() restores the pieces that framed() joined", () => {
  const pieces = [
    { about: { a: "ö" }, bytes: Buffer.from("one") },
    { about: [1], bytes: Buffer.alloc(0) },
    { about: null, bytes: Buffer.from("three") },
  ];
  const bytes = framed(pieces);
  const within = Buffer.concat([Buffer.from("xx"), bytes]).subarray(2);
  for (const given of [bytes, within, new Uint8Array(bytes)])
    expect(unframed(given).map(({ about, bytes }) => ({ about, bytes: Buffer.from(bytes) }))).toEqual(pieces);
  expect(unframed(framed([]))).toEqual([]);
});

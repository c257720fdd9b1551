import { hash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { projectSpace } from "../../../../src/store/store.ts";
import { mapsIn } from "../../../../src/tools/observability/source-maps/bundle.ts";
import { bundleJob } from "../../../../src/tools/observability/source-maps/bundle-job.ts";
import {
  sourceMapBundles,
  sourceMapCollections,
  sourceMapPieces,
  sourceMaps,
  waitingPieces,
} from "../../../../src/tools/observability/source-maps/documents.ts";
import { framed, unframed } from "../../../../src/tools/observability/source-maps/framed.ts";
import { keepBundle } from "../../../../src/tools/observability/source-maps/keep.ts";
import { restoreJob } from "../../../../src/tools/observability/source-maps/restore-job.ts";
import { readSourceMap } from "../../../../src/tools/observability/source-maps/source-map.ts";
import { createSourceMaps } from "../../../../src/tools/observability/source-maps/source-maps.ts";
import { entriesOf } from "../../../../src/tools/observability/source-maps/zip.ts";
import { fakeClock } from "../../../support/clock.ts";
import { bundleOf, mapOf, zipOf } from "../../../support/source-maps.ts";
import { openTestStore } from "../../../support/store.ts";

const SPACE = projectSpace("acc", "one");
const PROJECT = { accountId: "acc", projectId: "one" };
const idOf = (index: number) => `2dd09581-5d60-5c37-b71b-${String(index).padStart(12, "0")}`;

async function open() {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: sourceMapCollections });
  return { clock, store };
}

describe("readSourceMap()", () => {
  const read = (map: unknown) =>
    readSourceMap(Buffer.from(typeof map === "string" ? map : JSON.stringify(map)));
  const plain = { version: 3, mappings: "", sources: [] };
  const within = (offset: unknown, map: unknown = plain) => ({ version: 3, sections: [{ offset, map }] });
  const nested = (depth: number): unknown =>
    depth === 0 ? plain : within({ line: 0, column: 0 }, nested(depth - 1));

  it.each<[string, unknown]>([
    ["without mappings", plain],
    ["whose version is a text", { ...plain, version: "3" }],
    ["in a section", within({ line: 0, column: 0 })],
    ["in a section further on", within({ line: 7, column: 9 })],
    ["in a section at the last line", within({ line: 1_000_000, column: 0 })],
    ["of no sections", { version: 3, sections: [] }],
    ["four deep", nested(4)],
    ["of 8 MiB of mappings", { ...plain, mappings: "A".repeat(8 * 1024 * 1024) }],
  ])("reads a source map %s", (_, map) => expect(read(map)).toEqual({ map }));

  it.each<[string, unknown, string]>([
    ["null", null, "is no source map"],
    ["a number", 3, "is no source map"],
    ["a list", [plain], "is no source map"],
    ["without sources", { version: 3, mappings: "" }, "is no source map"],
    ["without mappings", { version: 3, sources: [] }, "is no source map"],
    ["without a version", { mappings: "", sources: [] }, "is no source map of version 3"],
    ["five deep", nested(5), "has more sections than are read"],
    ["with a section of no map", within({ line: 0, column: 0 }, null), "is no source map"],
    [
      "with a section of another version",
      within({ line: 0, column: 0 }, { version: 2 }),
      "is no source map of version 3",
    ],
    ["behind a billion lines", within({ line: 1e9, column: 0 }), "has a section behind line 1000000"],
    ["above the first line", within({ line: -1, column: 0 }), "has a section without a place"],
    ["before the first column", within({ line: 0, column: -1 }), "has a section without a place"],
    ["with half a line", within({ line: 0.5, column: 0 }), "has a section without a place"],
    ["without a column", within({ line: 0 }), "has a section without a place"],
    ["without a line", within({ column: 0 }), "has a section without a place"],
    ["without a place", within(null), "has a section without a place"],
    [
      "of more than 8 MiB of mappings together",
      {
        version: 3,
        sections: [0, 1].map((line) => ({
          offset: { line, column: 0 },
          map: { ...plain, mappings: "A".repeat(4 * 1024 * 1024 + line) },
        })),
      },
      "has more than 8 MiB of mappings",
    ],
  ])("refuses a source map: %s", (_, map, why) => expect(read(map)).toEqual({ why }));

  it("reads up to 1,000 maps, counting the outer one", () => {
    const wide = (count: number) => ({
      version: 3,
      sections: Array.from({ length: count }, (_, line) => ({ offset: { line, column: 0 }, map: plain })),
    });
    expect(read(wide(999))).toHaveProperty("map");
    expect(read(wide(1000))).toEqual({ why: "has more sections than are read" });
  });

  it("skips a )]}' guard only if it is the first line", () => {
    const json = JSON.stringify(plain);
    expect(read(`)]}'\n${json}`)).toEqual({ map: plain });
    for (const text of [`)]}'${json}`, `x)]}'\n${json}`, `\n)]}'\n${json}`, `)]}'\n)]}'\n${json}`])
      expect(read(text)).toEqual({ why: "is no JSON" });
  });
});

describe("a bundle", () => {
  it("is refused with more than 1,000 source maps", () => {
    const bundle = (count: number) =>
      bundleOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [idOf(index), mapOf("a.ts")])));
    const maps = mapsIn(bundle(1000));
    expect(maps.map(({ debugId }) => debugId)).toEqual(maps.map((_, index) => idOf(index)));
    expect(maps).toHaveLength(1000);
    expect(() => mapsIn(bundle(1001))).toThrow("it holds more than 1000 source maps");
  });

  it("is read by bundleJob, which returns the debug id, URL and bytes of each map", () => {
    const body = bundleOf({ [idOf(1)]: mapOf("a.ts"), [idOf(2)]: mapOf("b.ts") });
    // A view into a larger buffer, as a request's body may be.
    const given = Buffer.concat([Buffer.from("xx"), body]).subarray(2);
    const read = bundleJob.bodies["application/zip"]?.(given as never) as Uint8Array;
    const found = unframed(read).map(({ about, bytes }) => [about, Buffer.from(bytes)]);
    expect(found).toEqual(
      mapsIn(body).map(({ debugId, url, packed }) => [{ debugId, url }, Buffer.from(packed)]),
    );
    expect(found).toHaveLength(2);
  });
});

describe("entriesOf()", () => {
  const archive = zipOf({ "a.js": "one" }, { before: "" });

  it("finds the last end record, before a comment of up to 65,535 bytes", () => {
    const names = (given: Buffer) => [...entriesOf(given, 9).keys()];
    const other = zipOf({ "b.js": "two" }, { before: "" });
    expect(names(Buffer.concat([archive, other]))).toEqual(["b.js"]);
    expect(names(Buffer.concat([archive, Buffer.alloc(0xffff)]))).toEqual(["a.js"]);
    expect(() => names(Buffer.concat([archive, Buffer.alloc(0x10000)]))).toThrow("it is no zip archive");
    expect(() => names(Buffer.alloc(21))).toThrow("it is no zip archive");
    const empty = Buffer.alloc(22);
    empty.write("PK\x05\x06", "latin1");
    expect(names(empty)).toEqual([]);
  });

  it("refuses a file that ends beyond the archive", () => {
    const at = archive.indexOf("PK\x01\x02") + 20;
    const start = 30 + "a.js".length;
    const long = (length: number) => {
      const copy = Buffer.from(archive);
      copy.writeUInt32LE(length, at);
      return copy;
    };
    const [entry] = entriesOf(long(archive.length - start), 9).values();
    expect(entry?.bytes).toHaveLength(archive.length - start);
    expect(() => entriesOf(long(archive.length - start + 1), 9)).toThrow("a file of it ends outside of it");
  });
});

describe("waiting parts", () => {
  const part = (text: string) => ({ name: hash("sha1", text), bytes: Buffer.from(text) });

  it("are limited to 128 an account, not counting one that is sent again", async () => {
    const { clock, store } = await open();
    const maps = createSourceMaps({ store, clock, runJob: async () => framed([]) });
    const parts = Array.from({ length: 129 }, (_, index) => part(`p${index}`));
    await maps.addPieces("acc", parts.slice(0, 128));
    const more = maps.addPieces("acc", parts.slice(128));
    await expect(more).rejects.toMatchObject({
      error: "overloaded",
      extras: { headers: { "Retry-After": "60" } },
    });
    await maps.addPieces("acc", parts.slice(0, 1));
    await maps.addPieces("other", parts.slice(128));
    const counts = await store.transact(async (tx) => [
      (await tx.ids(waitingPieces, "acc")).length,
      (await tx.ids(waitingPieces, "other")).length,
    ]);
    expect(counts).toEqual([128, 1]);
  });

  it("keep waiting if the bundle is invalid or cannot be stored", async () => {
    const { clock, store } = await open();
    const uploader = { ...PROJECT, userId: "usr" };
    const announced = { checksum: hash("sha1", "bundle"), pieces: [part("bundle").name] };
    const { signal } = new AbortController();
    const failing = createSourceMaps({
      store,
      clock,
      runJob: async () => {
        throw new Error("no bundle");
      },
    });
    await failing.addPieces("acc", [part("bundle")]);
    await expect(failing.assemble(uploader, announced, signal)).rejects.toThrow("no bundle");
    // A map without a debug id has no id to be stored under.
    const broken = createSourceMaps({
      store,
      clock,
      runJob: async () => framed([{ about: null, bytes: Buffer.from("x") }]),
    });
    await expect(broken.assemble(uploader, announced, signal)).rejects.toThrow();
    const left = await store.transact(async (tx) => [
      await tx.ids(waitingPieces, "acc"),
      await tx.ids(sourceMapBundles, SPACE),
    ]);
    expect(left).toEqual([announced.pieces, []]);
    const dist = { ...announced, release: "r", dist: "d" };
    const working = createSourceMaps({ store, clock, runJob: async () => framed([]) });
    expect(await working.assemble(uploader, dist, signal)).toEqual([]);
    const [kept] = await store.transact((tx) => tx.list(sourceMapBundles, SPACE));
    expect(kept?.value).toEqual({
      ...{ release: "r", dist: "d", maps: 0, bytes: 0, isWhole: true },
      ...{ uploadedAt: clock.now(), uploadedBy: "usr" },
    });
  });
});

describe("maps.originals()", () => {
  it("caches the last 4,000 places", async () => {
    const { clock, store } = await open();
    await keepBundle(store, SPACE, {
      checksum: "c",
      document: { maps: 1, bytes: 1, uploadedAt: clock.now(), uploadedBy: "usr" },
      maps: [{ about: { debugId: "d", url: "~/d" }, bytes: Buffer.from("packed") }],
    });
    let asked = 0;
    const maps = createSourceMaps({
      store,
      clock,
      runJob: async (_, { body }) => {
        const about = unframed<{ line: number }[]>(body)[0]?.about ?? [];
        asked += about.length;
        return about.map(({ line }) => ({ file: "a.ts", line, column: 1 }));
      },
    });
    const places = (from: number, end: number) =>
      Array.from({ length: end - from }, (_, at) => ({ debugId: "d", line: from + at, column: 1 }));
    const of = async (from: number, end: number) => {
      asked = 0;
      const found = await maps.originals(PROJECT, places(from, end));
      expect(found.map((each) => each?.line)).toEqual(places(from, end).map(({ line }) => line));
      return asked;
    };
    expect([await of(1, 4001), await of(1, 4001), await of(1, 2)]).toEqual([4000, 0, 0]);
    // One more entry evicts the oldest.
    expect([await of(4001, 4002), await of(2, 4002), await of(1, 2)]).toEqual([1, 0, 1]);
  });

  it("returns null if a piece of the map is missing", async () => {
    const { clock, store } = await open();
    await keepBundle(store, SPACE, {
      checksum: "c",
      document: { maps: 1, bytes: 1, uploadedAt: clock.now(), uploadedBy: "usr" },
      maps: [{ about: { debugId: "d", url: "~/d" }, bytes: Buffer.from("packed") }],
    });
    await store.transact((tx) => tx.delete(sourceMapPieces, SPACE, "c/d/0000"));
    expect(await store.transact((tx) => tx.has(sourceMaps, SPACE, "d"))).toBe(true);
    const runJob = async () => {
      throw new Error("asked");
    };
    const maps = createSourceMaps({ store, clock, runJob });
    expect(await maps.originals(PROJECT, [{ debugId: "d", line: 1, column: 1 }])).toEqual([null]);
  });
});

describe("restoreJob", () => {
  const run = (pieces: Parameters<typeof framed>[0]) =>
    restoreJob.bodies["application/octet-stream"]?.(framed(pieces) as never);
  const about = [
    { line: 1, column: 1 },
    { line: 9, column: 1 },
  ];

  it("returns the original of each place, or null", () => {
    const bytes = deflateRawSync(JSON.stringify(mapOf("a.ts")));
    expect(run([{ about, bytes }])).toMatchObject([{ file: "a.ts", line: 3 }, null]);
  });

  it.each<[string, Buffer]>([
    ["no map", deflateRawSync("{}")],
    ["no JSON", deflateRawSync("{")],
    ["not packed", Buffer.from("packed")],
    ["a map that cannot be read", deflateRawSync('{"version":3,"mappings":"!!","sources":[]}')],
  ])("returns null for each place if the map is %s", (_, bytes) =>
    expect(run([{ about, bytes }])).toEqual([null, null]),
  );

  it("returns an empty list for an empty body", () => expect(run([])).toEqual([]));
});

import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { projectSpace } from "../../../../src/store/store.ts";
import {
  debugIdInPiece,
  pieceId,
  sourceMapBundles,
  sourceMapCollections,
  sourceMapPieces,
  sourceMaps,
  waitingPieces,
} from "../../../../src/tools/observability/source-maps/documents.ts";
import { framed } from "../../../../src/tools/observability/source-maps/framed.ts";
import {
  keepBundle,
  noteUse,
  readMap,
  removeBundle,
} from "../../../../src/tools/observability/source-maps/keep.ts";
import { listBundles } from "../../../../src/tools/observability/source-maps/list.ts";
import type { RunJob } from "../../../../src/tools/observability/source-maps/run-job.ts";
import { createSourceMaps } from "../../../../src/tools/observability/source-maps/source-maps.ts";
import { adjustableClock } from "../../../support/adjustable-clock.ts";
import { openTestStore } from "../../../support/store.ts";

const PROJECT = { accountId: "acc", projectId: "one" };
const SPACE = projectSpace("acc", "one");
const DAY = 86_400_000;
const PIECE = 512 * 1024;

async function open() {
  const clock = adjustableClock();
  const store = await openTestStore({ clock, collections: sourceMapCollections });
  const start = clock.now();
  const keep = (checksum: string, maps: Record<string, Buffer>, at = 0) =>
    keepBundle(store, SPACE, {
      checksum,
      document: { maps: 1, bytes: 9, uploadedAt: start + at, uploadedBy: "usr" },
      maps: Object.entries(maps).map(([debugId, bytes]) => ({
        about: { debugId, url: `~/${debugId}` },
        bytes,
      })),
    });
  const map = (debugId: string) => store.transact((tx) => tx.get(sourceMaps, SPACE, debugId));
  const read = async (debugId: string) => {
    const found = await map(debugId);
    return found && readMap(store, SPACE, debugId, found);
  };
  const pieces = () => store.transact((tx) => tx.ids(sourceMapPieces, SPACE));
  const bundle = (checksum: string) => store.transact((tx) => tx.get(sourceMapBundles, SPACE, checksum));
  const bundles = () => store.transact((tx) => tx.ids(sourceMapBundles, SPACE));
  return { clock, start, store, keep, map, read, pieces, bundle, bundles };
}

describe("a stored bundle", () => {
  it("has its maps in pieces of 512 KiB, which are read back unchanged", async () => {
    const { keep, read, pieces, bundle, map } = await open();
    const long = Buffer.alloc(2 * PIECE + 1, "abc");
    await keep("c1", { a: long, b: Buffer.alloc(PIECE, "x"), c: Buffer.from("short") });
    expect(await pieces()).toEqual(["c1/a/0000", "c1/a/0001", "c1/a/0002", "c1/b/0000", "c1/c/0000"]);
    expect(await map("a")).toEqual({ bundle: "c1", url: "~/a", pieces: 3 });
    for (const [id, bytes] of [
      ["a", long],
      ["b", Buffer.alloc(PIECE, "x")],
      ["c", Buffer.from("short")],
    ] as const)
      expect((await read(id))?.equals(bytes)).toBe(true);
    expect(await bundle("c1")).toMatchObject({ isWhole: true, bytes: 9 });
  });

  it("loses a map to a later bundle, which keeps the map when the older one is removed", async () => {
    const { store, keep, read, pieces } = await open();
    await keep("c1", { a: Buffer.from("one"), b: Buffer.from("two") });
    await keep("c2", { a: Buffer.from("new") });
    expect(await removeBundle(store, SPACE, "c1")).toBe(true);
    expect([(await read("a"))?.toString(), await read("b")]).toEqual(["new", undefined]);
    expect(await pieces()).toEqual(["c2/a/0000"]);
    expect(await removeBundle(store, SPACE, "c1")).toBe(false);
  });

  it("is removed with all its pieces, but not those of another bundle", async () => {
    const { store, keep, pieces, map } = await open();
    const maps = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`m${at}`, Buffer.from("x")]));
    await keep("c1", maps);
    await keep("c10", { other: Buffer.from("x") });
    await removeBundle(store, SPACE, "c1");
    expect(await pieces()).toEqual(["c10/other/0000"]);
    expect([await map("m44"), await map("other")]).toEqual([undefined, expect.anything()]);
  });

  it("has no readable map if one of its pieces is missing", async () => {
    const { store, keep, read } = await open();
    await keep("c1", { a: Buffer.alloc(PIECE + 1) });
    await store.transact((tx) => tx.delete(sourceMapPieces, SPACE, pieceId("c1", "a", 1)));
    expect(await read("a")).toBeUndefined();
    expect(debugIdInPiece(pieceId("c1", "a", 1))).toBe("a");
  });

  it("expires 97 days after its last use, which is noted once a week", async () => {
    const { clock, start, store, keep, read, bundle } = await open();
    await keep("c1", { a: Buffer.from("x") });
    const used = async () => {
      await noteUse(store, SPACE, "a", clock.now());
      return (await bundle("c1"))?.usedAt;
    };
    clock.advance(7 * DAY - 1);
    expect(await used()).toBeUndefined();
    clock.advance(1);
    expect(await used()).toBe(start + 7 * DAY);
    clock.advance(6 * DAY);
    expect(await used()).toBe(start + 7 * DAY);
    clock.advance(91 * DAY - 1);
    expect((await read("a"))?.toString()).toBe("x");
    clock.advance(1);
    expect([await read("a"), await bundle("c1")]).toEqual([undefined, undefined]);
    await noteUse(store, SPACE, "a", clock.now());
    expect(await bundle("c1")).toBeUndefined();
  });

  it("keeps each of its maps for 97 days after its own last use", async () => {
    const { clock, store, keep, read } = await open();
    await keep("c1", { a: Buffer.from("x"), b: Buffer.from("y"), unused: Buffer.from("z") });
    clock.advance(8 * DAY);
    for (const debugId of ["a", "b"]) await noteUse(store, SPACE, debugId, clock.now());
    clock.advance(96 * DAY);
    const left = [await read("a"), await read("b"), await read("unused")];
    expect(left.map(String)).toEqual(["x", "y", "undefined"]);
  });

  it("is evicted as the least recently used of more than 200", async () => {
    const { store, keep, bundles, start } = await open();
    await store.transact(async (tx) => {
      for (let at = 0; at < 199; at++) {
        const uploadedAt = start + at;
        const document = { maps: 0, bytes: 0, uploadedAt, uploadedBy: "usr", isWhole: true };
        await tx.put(sourceMapBundles, SPACE, `c${100 + at}`, {
          ...document,
          ...(at === 0 && { usedAt: start + 500 }),
        });
      }
    });
    await keep("new", {}, 600);
    expect(await bundles()).toHaveLength(200);
    await keep("newer", {}, 700);
    const left = await bundles();
    expect(left).toHaveLength(200);
    expect(["c100", "c101", "c102", "new", "newer"].filter((id) => left.includes(id))).toEqual([
      "c100",
      "c102",
      "new",
      "newer",
    ]);
  });
});

describe("listBundles()", () => {
  it("pages through complete bundles, latest first, each with its expiry", async () => {
    const { store, keep, start } = await open();
    for (const [at, id] of ["a", "b", "c"].entries()) await keep(id, {}, at);
    const begun = { maps: 1, bytes: 9, uploadedAt: start + 5, uploadedBy: "usr", isWhole: false };
    await store.transact((tx) => tx.put(sourceMapBundles, SPACE, "d", begun));
    const list = (limit: number, cursor?: string) => listBundles(store, SPACE, { limit, cursor });
    const iso = (at: number) => new Date(start + at).toISOString();
    const all = await list(9);
    expect(all.items.map(({ id }) => id)).toEqual(["c", "b", "a"]);
    expect(all).not.toHaveProperty("nextCursor");
    expect(all.items[0]).toEqual({
      ...{ id: "c", maps: 1, bytes: 9, uploadedBy: "usr" },
      ...{ uploadedAt: iso(2), keptUntil: iso(2 + 90 * DAY) },
    });
    const first = await list(2);
    expect(first.items.map(({ id }) => id)).toEqual(["c", "b"]);
    const second = await list(2, first.nextCursor);
    expect([second.items.map(({ id }) => id), second.nextCursor]).toEqual([["a"], undefined]);
    expect((await list(3)).nextCursor).toBeUndefined();
  });
});

describe("uploaded parts", () => {
  const part = (text: string) => ({ name: hash("sha1", text), bytes: Buffer.from(text) });
  const of = async (runJob: RunJob = async () => framed([])) => {
    const opened = await open();
    return { ...opened, maps: createSourceMaps({ store: opened.store, clock: opened.clock, runJob }) };
  };
  const uploader = { ...PROJECT, userId: "usr" };
  const signal = new AbortController().signal;

  it("wait for an hour, and are refused if they are too long or do not match their SHA-1", async () => {
    const { maps, store, clock } = await of();
    await maps.addPieces("acc", [part("one"), part("two")]);
    const waiting = () => store.transact((tx) => tx.ids(waitingPieces, "acc"));
    expect(await waiting()).toHaveLength(2);
    await expect(maps.addPieces("acc", [{ ...part("one"), bytes: Buffer.from("x") }])).rejects.toMatchObject({
      error: "invalid_request",
    });
    const long = Buffer.alloc(PIECE + 1);
    await expect(maps.addPieces("acc", [{ name: hash("sha1", long), bytes: long }])).rejects.toMatchObject({
      error: "payload_too_large",
    });
    await maps.addPieces("acc", [{ name: hash("sha1", long.subarray(1)), bytes: long.subarray(1) }]);
    clock.advance(3_600_000 - 1);
    expect(await waiting()).toHaveLength(3);
    clock.advance(1);
    expect(await waiting()).toEqual([]);
  });

  it("are joined in their order and stored as a bundle, and no longer wait", async () => {
    const bodies: string[] = [];
    const { maps, store, bundle, map } = await of(async (account, { body, pace, name }) => {
      bodies.push(`${account} ${name} ${pace} ${Buffer.from(body).toString()}`);
      return framed([{ about: { debugId: "d", url: "~/d" }, bytes: Buffer.from("packed") }]);
    });
    const [one, two] = [part("one"), part("two")];
    const announced = { checksum: hash("sha1", "onetwo"), pieces: [one.name, two.name], release: "r" };
    expect(await maps.assemble(uploader, announced, signal)).toEqual([one.name, two.name]);
    await maps.addPieces("acc", [two]);
    expect(await maps.assemble(uploader, announced, signal)).toEqual([one.name]);
    await maps.addPieces("acc", [one]);
    const wrong = { ...announced, checksum: "0".repeat(40) };
    await expect(maps.assemble(uploader, wrong, signal)).rejects.toMatchObject({ error: "invalid_request" });
    expect(bodies).toEqual([]);
    expect(await maps.assemble(uploader, announced, signal)).toEqual([]);
    expect(bodies).toEqual(["acc observability.bundle long onetwo"]);
    expect(await bundle(announced.checksum)).toMatchObject({
      release: "r",
      maps: 1,
      bytes: 6,
      uploadedBy: "usr",
      isWhole: true,
    });
    expect(await map("d")).toMatchObject({ bundle: announced.checksum, pieces: 1 });
    expect(await store.transact((tx) => tx.ids(waitingPieces, "acc"))).toEqual([]);
    expect(await maps.assemble(uploader, announced, signal)).toEqual([]);
    expect(bodies).toHaveLength(1);
  });
});

describe("maps.originals()", () => {
  const original = (line: number) => ({ file: "a.ts", line, column: 1 });
  const place = (line: number, debugId = "d") => ({ debugId, line, column: 1 });

  it("looks up each place of an existing map once and returns originals in order", async () => {
    const { store, keep, clock } = await open();
    await keep("c1", { d: Buffer.from("packed"), e: Buffer.from("other") });
    let asked = 0;
    const runJob: RunJob = async (_, { body, pace }) => {
      asked++;
      expect(pace).toBe("short");
      const text = Buffer.from(body).toString();
      return text.includes("other")
        ? [original(50)]
        : text.includes('"line":2')
          ? [original(10), null]
          : [original(30)];
    };
    const maps = createSourceMaps({ store, clock, runJob });
    const of = (...places: ReturnType<typeof place>[]) => maps.originals(PROJECT, places);
    expect(await of(place(1), place(5, "gone"), place(2), place(1, "e"))).toEqual([
      original(10),
      null,
      null,
      original(50),
    ]);
    expect(asked).toBe(2);
    expect(await of(place(2), place(1))).toEqual([null, original(10)]);
    expect(asked).toBe(2);
    expect(await of(place(1), place(3))).toEqual([original(10), original(30)]);
    expect(asked).toBe(3);
    expect(await of()).toEqual([]);
    expect(await maps.originals({ ...PROJECT, projectId: "two" }, [place(1)])).toEqual([null]);
  });

  it("keeps a map that is used, also where its places are remembered", async () => {
    const { store, keep, clock } = await open();
    await keep("c1", { d: Buffer.from("packed") });
    const maps = createSourceMaps({ store, clock, runJob: async () => [original(10)] });
    for (let week = 0; week < 20; week++) {
      expect(await maps.originals(PROJECT, [place(1)])).toEqual([original(10)]);
      clock.advance(7 * DAY);
    }
  });

  it("runs one job for concurrent lookups, and returns null if the job fails", async () => {
    const { store, keep, clock } = await open();
    await keep("c1", { d: Buffer.from("packed") });
    let asked = 0;
    const maps = createSourceMaps({
      ...{ store, clock },
      runJob: async () => {
        if (++asked > 1) throw new Error("too much");
        await new Promise(setImmediate);
        return [original(10)];
      },
    });
    const all = await Promise.all(Array.from({ length: 5 }, () => maps.originals(PROJECT, [place(1)])));
    expect([all, asked]).toEqual([Array(5).fill([original(10)]), 1]);
    expect(await maps.originals(PROJECT, [place(1), place(2)])).toEqual([null, null]);
    expect(asked).toBe(2);
  });
});

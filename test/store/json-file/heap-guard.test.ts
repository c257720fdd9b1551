import { describe, expect, it } from "vitest";
import { createHeapGuard } from "../../../src/store/json-file/heap-guard.ts";
import { Storage } from "../../../src/store/json-file/storage.ts";
import { GLOBAL, NoRoom, type OpenedStore } from "../../../src/store/store.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { notes, openAt, recordingLog } from "./directory.ts";

const PLENTY = { bytes: 1e9, documents: 1e9 };
const KB = 1000;

async function openWithin(heapBytes: number, directory = temporaryDirectory()) {
  const said: string[] = [];
  const log = {
    warn: (_: unknown, text: string) => said.push(`warn ${text}`),
    info: (_: unknown, text: string) => said.push(`info ${text}`),
  };
  const store = await openAt(directory, { clock: adjustableClock(), heapBytes, log: log as never });
  return { store, said, directory };
}

function write(store: OpenedStore, id: string, characters: number, space = "acc") {
  return store.transact(async (tx) => {
    await tx.put(notes, space, id, { text: "x".repeat(characters) });
    await tx.assertRoom("acc", PLENTY);
  });
}

describe("the heap guard", () => {
  it("refuses writes beyond the store's share of the heap, but no reads and deletions", async () => {
    const { store } = await openWithin(100 * KB);
    for (let index = 0; index < 9; index++) await write(store, `n${index}`, 10 * KB);
    const used = store.headroom.describe()?.usedBytes;
    await expect(write(store, "more", 10 * KB)).rejects.toMatchObject({
      bound: "server memory",
      limit: 100 * KB,
      used,
    });
    await write(store, "little", 100);
    await write(store, "n0", 9 * KB);
    expect(await store.transact((tx) => tx.get(notes, "acc", "more"))).toBeUndefined();
    await store.transact((tx) => tx.delete(notes, "acc", "n1"));
    await write(store, "more", 9 * KB);
  });

  it("counts global documents and counters", async () => {
    const { store } = await openWithin(100 * KB);
    await store.transact((tx) => tx.put(notes, GLOBAL, "a", { text: "x".repeat(90 * KB) }));
    await expect(write(store, "b", 10 * KB)).rejects.toThrow(NoRoom);
    const count = (from: number, to: number) =>
      store.transact(async (tx) => {
        for (let index = from; index < to; index++) await tx.increment("visits", "acc", `c${index}`, 1);
        await tx.assertRoom("acc", PLENTY);
      });
    await count(0, 20);
    await count(0, 20);
    await expect(count(20, 80)).rejects.toMatchObject({ bound: "server memory" });
  });

  it("logs once when the share is used up and once when there is room again", async () => {
    const { store, said } = await openWithin(100 * KB);
    for (let index = 0; index < 9; index++) await write(store, `n${index}`, 10 * KB);
    expect([store.headroom.canGrow(), said]).toEqual([true, []]);
    await write(store, "last", 4 * KB);
    await write(store, "very last", 10);
    expect(store.headroom.canGrow()).toBe(false);
    expect(said).toEqual([expect.stringMatching(/^warn the store has taken its share/)]);
    await store.transact((tx) => tx.delete(notes, "acc", "n0"));
    expect(store.headroom.canGrow()).toBe(true);
    expect(said.slice(1)).toEqual(["info the store has room again"]);
  });

  it("knows the memory in use right after opening", async () => {
    const { store, directory } = await openWithin(200 * KB);
    for (let index = 0; index < 15; index++) await write(store, `n${index}`, 10 * KB);
    const before = store.headroom.describe();
    await store.close();
    const again = await openWithin(200 * KB, directory);
    expect(again.store.headroom.describe()).toEqual(before);
    await again.store.close();
    const smaller = await openWithin(100 * KB, directory);
    expect(smaller.store.headroom.canGrow()).toBe(false);
    expect(smaller.said).toHaveLength(1);
    expect(await smaller.store.transact((tx) => tx.get(notes, "acc", "n3"))).toBeDefined();
    await expect(write(smaller.store, "more", 10)).rejects.toThrow(NoRoom);
  });

  it("admits growth up to exactly the limit, and beyond it only writes that do not grow", () => {
    const storage = { heapBytes: 1000 };
    const { refusal } = createHeapGuard({ storage, limitBytes: 1000, log: recordingLog().log });
    expect(refusal(10)).toBeUndefined();
    storage.heapBytes = 1001;
    expect(refusal(10)).toMatchObject({ limit: 1000, used: 991, wanted: 1001 });
    expect(refusal(0)).toBeUndefined();
    expect(refusal(-10)).toBeUndefined();
  });

  it("stops growth at 95 % of the limit, and allows it again below 90 %", () => {
    const storage = { heapBytes: 0 };
    const { lines, log } = recordingLog();
    const { canGrow, measure } = createHeapGuard({ storage, limitBytes: 100, log });
    const growsAt = [94, 95, 94, 90, 89, 94].map((heapBytes) => {
      storage.heapBytes = heapBytes;
      measure();
      return canGrow();
    });
    expect(growsAt).toEqual([true, false, false, false, true, true]);
    expect(lines.map(({ level, details }) => [level, details.usedBytes])).toEqual([
      ["warn", 95],
      ["info", 89],
    ]);
  });

  it("counts two bytes per character of text that is not ASCII", () => {
    const storage = new Storage();
    const heapOf = (content: string) => {
      const before = storage.heapBytes;
      const bytes = Buffer.byteLength(content) + 1;
      storage.replace(undefined, "a", undefined, { content, bytes, version: 1, expiresAt: 1 });
      return storage.heapBytes - before;
    };
    const [ascii, wide] = [heapOf("x".repeat(1000)), heapOf(`${"x".repeat(999)}…`)];
    expect(wide - ascii).toBe(1001);
    expect(ascii).toBeGreaterThan(1100);
  });
});

import { describe, expect, it } from "vitest";
import { CopyDiffers, copyStore, TargetNotEmpty } from "../../src/store/copy.ts";
import { createTally } from "../../src/store/inventory.ts";
import { collection, type OpenedStore, type StoreItem } from "../../src/store/store.ts";
import { openTestStore } from "../support/store.ts";

const notes = collection<unknown>("notes", { changes: true });
const names = { target: "the target" };

async function filled(): Promise<OpenedStore> {
  const store = await openTestStore({ collections: [notes] });
  await store.transact(async (tx) => {
    await tx.put(notes, "global", "a", { text: "ß \u0000 \ud800", __proto__: null });
    await tx.put(notes, "acc/shop", "b", [1, 2.5, null, true], { expiresAt: Date.UTC(2030, 0) });
    await tx.increment("uses", "acc/shop", "2026-01", 41);
    await tx.increment("uses", "acc/shop", "2026-01", 1);
  });
  return store;
}

describe("copyStore()", () => {
  it("copies documents with their expiry and counters, and returns how many", async () => {
    const source = await filled();
    const target = await openTestStore({ collections: [notes] });
    expect(await copyStore(source, target, names)).toMatchObject({
      documents: 2,
      counters: 1,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const items: StoreItem[] = [];
    for await (const item of target.dump()) items.push(item);
    expect(items).toContainEqual({ counter: "uses", space: "acc/shop", id: "2026-01", count: 42 });
    expect(items).toContainEqual(expect.objectContaining({ id: "b", expiresAt: Date.UTC(2030, 0) }));
  });

  it("refuses a target that is not empty", async () => {
    await expect(copyStore(await filled(), await filled(), names)).rejects.toThrow(TargetNotEmpty);
  });

  const changes: [what: string, change: (item: StoreItem) => StoreItem[]][] = [
    ["lacks a counter", (item) => ("counter" in item ? [] : [item])],
    ["lacks a document", (item) => ("counter" in item || item.id !== "a" ? [item] : [])],
    ["holds another total", (item) => ["counter" in item ? { ...item, count: 43 } : item]],
    ["holds another document", (item) => ["counter" in item ? item : { ...item, value: 7 }]],
    ["holds it under another id", (item) => [{ ...item, id: `${item.id}2` }]],
    ["holds it in another space", (item) => [{ ...item, space: "acc/web" }]],
    ["holds it for ever", (item) => ["counter" in item ? item : { ...item, expiresAt: undefined as never }]],
  ];
  it.each(changes)("throws CopyDiffers if the target %s afterwards", async (_, change) => {
    const target = await openTestStore({ collections: [notes] });
    const other: OpenedStore = {
      ...target,
      load: (items, compare) =>
        target.load(
          (async function* () {
            for await (const item of items) yield* change(item);
          })(),
          compare,
        ),
    };
    await expect(copyStore(await filled(), other, names)).rejects.toThrow(CopyDiffers);
  });

  it("reports progress every thousand items", async () => {
    const source = await openTestStore({ collections: [notes] });
    await source.transact(async (tx) => {
      for (let index = 0; index < 2500; index++) await tx.put(notes, "acc", `n${index}`, index);
    });
    const told: number[] = [];
    const target = await openTestStore({ collections: [notes] });
    const { documents, counters } = await copyStore(source, target, names, (items) => told.push(items));
    expect({ documents, counters, told }).toEqual({ documents: 2500, counters: 0, told: [1000, 2000] });
  });

  it("computes an inventory that does not depend on the order of the items", () => {
    const items: StoreItem[] = [
      { collection: "notes", space: "acc", id: "a", value: 1 },
      { collection: "notes", space: "acc", id: "b", value: 1 },
      { counter: "notes", space: "acc", id: "a", count: 1 },
    ];
    const inventoryOf = (given: StoreItem[]) => {
      const tally = createTally();
      for (const item of given) tally.add(item);
      return tally.inventory();
    };
    const all = inventoryOf(items);
    expect(all).toMatchObject({ documents: 2, counters: 1 });
    expect(inventoryOf(items.toReversed())).toEqual(all);
    expect(inventoryOf([])).toEqual({ documents: 0, counters: 0, checksum: "0".repeat(64) });
    // Each item has its own checksum. Checksums stay at 64 digits, although the sum of all is longer.
    const sums = [...items.map((item) => [item]), items].map((given) => inventoryOf(given).checksum);
    expect(new Set(sums).size).toBe(4);
    for (const sum of sums) expect(sum).toMatch(/^[0-9a-f]{64}$/);
    // SHA-256 of ["counter","notes","acc","a",1].
    expect(sums[2]).toBe("099fc720cda7ebf795627644a7d80dbc9e59322ad16d9084eb5de50a94da3f0a");
  });

  it("names the differing counts and checksums in the error", async () => {
    const target = await openTestStore({ collections: [notes] });
    const losing: OpenedStore = {
      ...target,
      load: (items, compare) =>
        target.load(
          (async function* () {
            for await (const item of items) if (!("counter" in item)) yield item;
          })(),
          compare,
        ),
    };
    const error = await copyStore(await filled(), losing, names).catch((reason) => reason);
    expect(error).toMatchObject({
      name: "CopyDiffers",
      source: { documents: 2, counters: 1 },
      target: { documents: 2, counters: 0 },
    });
    expect(error.message).toMatch(
      /2 documents and 1 counters became 2 and 0, checksum [0-9a-f]{12} became [0-9a-f]{12}\.$/,
    );
  });
});

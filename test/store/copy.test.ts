import { describe, expect, it } from "vitest";
import { CopyDiffers, copyStore, TargetNotEmpty } from "../../src/store/copy.ts";
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

describe("copying a store", () => {
  it("takes documents, expiry and counters along, and says how many", async () => {
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

  it("refuses a target that holds something", async () => {
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
  it.each(changes)("notices where the target %s afterwards", async (_, change) => {
    const target = await openTestStore({ collections: [notes] });
    const other: OpenedStore = {
      ...target,
      load: (items) =>
        target.load(
          (async function* () {
            for await (const item of items) yield* change(item);
          })(),
        ),
    };
    await expect(copyStore(await filled(), other, names)).rejects.toThrow(CopyDiffers);
  });

  it("says how far it is, every thousand items", async () => {
    const source = await openTestStore({ collections: [notes] });
    await source.transact(async (tx) => {
      for (let index = 0; index < 2500; index++) await tx.put(notes, "acc", `n${index}`, index);
    });
    const told: number[] = [];
    const target = await openTestStore({ collections: [notes] });
    const { documents, counters } = await copyStore(source, target, names, (items) => told.push(items));
    expect({ documents, counters, told }).toEqual({ documents: 2500, counters: 0, told: [1000, 2000] });
  });
});

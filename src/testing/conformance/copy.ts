import { expect, it } from "vitest";
import { GLOBAL, type OpenedStore, type StoreItem } from "../../store/store.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { marks, notes, type OpenMedium, opened, things } from "./medium.ts";

export function copyConformance(medium: OpenMedium): void {
  it("dumps everything, and loads the dump into another store", async () => {
    const { store, clock } = await opened(medium);
    const expiresAt = clock.now() + MINUTE_MS;
    await store.transact(async (tx) => {
      for (const id of ["c", "a", "b"]) await tx.put(notes, "acc_1", id, { text: id });
      await tx.put(marks, GLOBAL, "brief", { text: "brief" }, { expiresAt });
      await tx.put(marks, GLOBAL, "gone", { text: "gone" }, { expiresAt: clock.now() });
      await tx.put(things, "acc_1/web", "odd", JSON.parse('{"__proto__":"\\u0000 \\ud800"}'));
      await tx.increment("visits", "acc_1", "today", 5);
    });
    await store.admit([{ key: "k", capacity: 5, kind: "fixed", windowMs: MINUTE_MS }]);

    const items = await all(store);
    expect(new Set(items.map((item) => JSON.stringify(item)))).toEqual(
      new Set(
        [
          { collection: notes.name, space: "acc_1", id: "c", value: { text: "c" } },
          { collection: notes.name, space: "acc_1", id: "a", value: { text: "a" } },
          { collection: notes.name, space: "acc_1", id: "b", value: { text: "b" } },
          { collection: marks.name, space: GLOBAL, id: "brief", value: { text: "brief" }, expiresAt },
          {
            collection: things.name,
            space: "acc_1/web",
            id: "odd",
            value: JSON.parse('{"__proto__":"\\u0000 \\ud800"}'),
          },
          { counter: "visits", space: "acc_1", id: "today", count: 5 },
        ].map((item) => JSON.stringify(item)),
      ),
    );

    const copy = await opened(medium);
    await copy.store.load(store.dump());
    expect(await all(copy.store)).toEqual(items);
    const read = await copy.store.transact(async (tx) => ({
      inOrderOfWriting: await tx.changes(notes, "acc_1"),
      visits: await tx.increment("visits", "acc_1", "today", 1),
      brief: await tx.get(marks, GLOBAL, "brief"),
    }));
    expect(read).toMatchObject({
      inOrderOfWriting: { entries: [{ id: "c" }, { id: "a" }, { id: "b" }] },
      visits: 6,
      brief: { text: "brief" },
    });
    copy.clock.advance(MINUTE_MS);
    expect(await copy.store.transact((tx) => tx.get(marks, GLOBAL, "brief"))).toBeUndefined();
  });

  it("copies more than fits into one transaction", async () => {
    const { store } = await opened(medium);
    await store.transact(async (tx) => {
      for (let index = 0; index < 1234; index++) await tx.put(notes, GLOBAL, `n${index}`, { text: "x" });
    });
    const copy = await opened(medium);
    await copy.store.load(store.dump());
    expect(await copy.store.transact((tx) => tx.list(notes, GLOBAL))).toHaveLength(1234);
  });

  it("keeps and copies collections that the store was not opened with", async () => {
    const { store, clock, reopen } = await opened(medium);
    await store.transact(async (tx) => {
      for (const id of ["b", "a"]) await tx.put(notes, "acc_1/web", id, { text: id });
      await tx.put(marks, GLOBAL, "brief", { text: "brief" }, { expiresAt: clock.now() + MINUTE_MS });
      await tx.increment("visits", "acc_1", "today", 5);
    });
    const items = await all(store);
    expect(items).toHaveLength(4);

    const narrow = await reopen([things]);
    await narrow.transact((tx) => tx.put(things, GLOBAL, "t", 1));
    expect(await all(narrow)).toEqual(
      expect.arrayContaining([...items, { collection: things.name, space: GLOBAL, id: "t", value: 1 }]),
    );
    const copy = await opened(medium);
    await (await copy.reopen([])).load(narrow.dump());

    for (const again of [await reopen(), await copy.reopen()]) {
      const found = await again.transact((tx) => tx.changes(notes, "acc_1/web"));
      expect(found).toMatchObject({ entries: [{ id: "b" }, { id: "a" }] });
      if (found === "reset") throw new Error("there is no feed to follow");
      await again.transact((tx) => tx.delete(notes, "acc_1/web", "b"));
      expect(await again.transact((tx) => tx.changes(notes, "acc_1/web", found.version))).toMatchObject({
        entries: [{ id: "b" }],
      });
      expect(await again.transact((tx) => tx.increment("visits", "acc_1", "today", 1))).toBe(6);
      expect(await again.transact((tx) => tx.get(marks, GLOBAL, "brief"))).toEqual({ text: "brief" });
    }
  });
}

async function all(store: OpenedStore): Promise<StoreItem[]> {
  const items: StoreItem[] = [];
  for await (const item of store.dump()) items.push(item);
  return items;
}

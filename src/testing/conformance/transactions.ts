import { expect, it } from "vitest";
import { Conflict, GLOBAL, StoreUnavailable, type Transaction } from "../../store/store.ts";
import { marks, notes, type OpenMedium, opened } from "./medium.ts";

export function transactionsConformance(medium: OpenMedium): void {
  it("returns what its work returns", async () => {
    const { store } = await opened(medium);
    expect(await store.transact(async () => 7)).toBe(7);
    expect(await store.transact(async () => undefined)).toBeUndefined();
  });

  it("sees its own writes", async () => {
    const { store } = await opened(medium);
    await store.transact((tx) => tx.put(notes, GLOBAL, "b", { text: "old" }));
    await store.transact(async (tx) => {
      await tx.insert(notes, GLOBAL, "a", { text: "new" });
      await tx.delete(notes, GLOBAL, "b");
      expect(await tx.get(notes, GLOBAL, "a")).toEqual({ text: "new" });
      expect(await tx.get(notes, GLOBAL, "b")).toBeUndefined();
      expect(await tx.list(notes, GLOBAL)).toEqual([{ id: "a", value: { text: "new" } }]);
      await tx.insert(notes, GLOBAL, "b", { text: "again" });
      await tx.increment("visits", GLOBAL, "a", 2);
      expect(await tx.counts("visits", GLOBAL, { from: "a", to: "b" })).toEqual([{ id: "a", count: 2 }]);
    });
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "b"))).toEqual({ text: "again" });
  });

  it("leaves nothing behind when its work fails, and passes the error on", async () => {
    const { store } = await opened(medium);
    await store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "kept", { text: "before" });
      await tx.increment("visits", GLOBAL, "a", 1);
    });
    const before = await store.transact((tx) => tx.changes(notes, GLOBAL));
    const fault = new Error("on purpose");
    const failed = store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "kept", { text: "after" });
      await tx.insert(notes, GLOBAL, "new", { text: "new" });
      await tx.insert(marks, "elsewhere", "new", { text: "new" });
      await tx.delete(notes, GLOBAL, "kept");
      await tx.increment("visits", GLOBAL, "a", 10);
      throw fault;
    });
    await expect(failed).rejects.toBe(fault);
    const after = await store.transact(async (tx) => ({
      notes: await tx.list(notes, GLOBAL),
      marks: await tx.list(marks, "elsewhere"),
      changes: await tx.changes(notes, GLOBAL),
      visits: await tx.increment("visits", GLOBAL, "a", 0),
    }));
    expect(after).toEqual({
      notes: [{ id: "kept", value: { text: "before" } }],
      marks: [],
      changes: before,
      visits: 1,
    });
  });

  it("is rolled back after a conflict, even if its work catches the error", async () => {
    const { store } = await opened(medium);
    await store.transact((tx) => tx.insert(notes, GLOBAL, "a", { text: "first" }));
    const voided = store.transact(async (tx) => {
      await tx.insert(notes, GLOBAL, "b", { text: "must not stay" });
      await tx.insert(notes, GLOBAL, "a", { text: "second" }).catch(() => {});
      return "done";
    });
    await expect(voided).rejects.toThrow(Conflict);
    expect(await store.transact((tx) => tx.list(notes, GLOBAL))).toEqual([
      { id: "a", value: { text: "first" } },
    ]);
  });

  it("commits other transactions when some fail", async () => {
    const { store } = await opened(medium);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        store.transact(async (tx) => {
          await tx.insert(notes, GLOBAL, `n${index}`, { text: "x" });
          if (index % 4 === 0) throw new Error("on purpose");
          return index;
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(10);
    expect(await store.transact((tx) => tx.list(notes, GLOBAL))).toHaveLength(30);
  });

  it("refuses writes once the transaction is over", async () => {
    const { store } = await opened(medium);
    let leaked: Transaction | undefined;
    await store.transact(async (tx) => {
      leaked = tx;
    });
    await expect(leaked?.put(notes, GLOBAL, "late", { text: "late" })).rejects.toThrow();
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "late"))).toBeUndefined();
  });

  it("answers ping() and probe() while open, and refuses transactions once closed", async () => {
    const { store } = await opened(medium);
    await expect(store.ping()).resolves.toBeUndefined();
    await expect(store.probe()).resolves.toBeUndefined();
    await store.transact((tx) => tx.put(notes, GLOBAL, "a", { text: "a" }));
    expect(await store.sizeBytes()).toBeGreaterThan(0);
    await store.close();
    await store.close();
    await expect(store.transact((tx) => tx.get(notes, GLOBAL, "a"))).rejects.toThrow(StoreUnavailable);
  });

  it("finishes transactions that began before close()", async () => {
    const { store, reopen } = await opened(medium);
    const writes = Array.from({ length: 50 }, (_, index) =>
      store.transact((tx) => tx.insert(notes, GLOBAL, `n${index}`, { text: "x" })),
    );
    const again = await reopen();
    await Promise.all(writes);
    expect(await again.transact((tx) => tx.list(notes, GLOBAL))).toHaveLength(50);
  });
}

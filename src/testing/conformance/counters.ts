import { expect, it } from "vitest";
import { GLOBAL } from "../../store/store.ts";
import { notes, type OpenMedium, opened } from "./medium.ts";

export function countersConformance(medium: OpenMedium): void {
  it("counts from 0 and returns the new total", async () => {
    const { store } = await opened(medium);
    const add = (by: number) => store.transact((tx) => tx.increment("visits", "acc_1", "today", by));
    expect(await add(3)).toBe(3);
    expect(await add(4)).toBe(7);
    expect(await add(-9)).toBe(-2);
    expect(await add(0)).toBe(-2);
    expect(await add(2 ** 40)).toBe(2 ** 40 - 2);
  });

  it("refuses what no counter can hold exactly", async () => {
    const { store } = await opened(medium);
    for (const by of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      await expect(store.transact((tx) => tx.increment("visits", GLOBAL, "a", by))).rejects.toThrow(
        RangeError,
      );
    }
    expect(await store.transact((tx) => tx.increment("visits", GLOBAL, "a", 1))).toBe(1);
  });

  it("adds up within one transaction", async () => {
    const { store } = await opened(medium);
    const totals = await store.transact(async (tx) => [
      await tx.increment("visits", GLOBAL, "a", 1),
      await tx.increment("visits", GLOBAL, "a", 1),
      await tx.increment("visits", GLOBAL, "b", 5),
      await tx.increment("visits", GLOBAL, "a", 1),
    ]);
    expect(totals).toEqual([1, 2, 5, 3]);
  });

  it("lists within one transaction what that has added", async () => {
    const { store } = await opened(medium);
    await store.transact((tx) => tx.increment("visits", GLOBAL, "b", 10));
    const counted = await store.transact(async (tx) => {
      await tx.increment("visits", GLOBAL, "a", 1);
      await tx.increment("visits", GLOBAL, "b", 5);
      await tx.increment("visits", GLOBAL, "c", 2);
      return tx.counts("visits", GLOBAL, { from: "", to: "z" });
    });
    expect(counted).toEqual([
      { id: "a", count: 1 },
      { id: "b", count: 15 },
      { id: "c", count: 2 },
    ]);
  });

  it("keeps counters, spaces and documents of the same name apart", async () => {
    const { store } = await opened(medium);
    await store.transact(async (tx) => {
      await tx.increment(notes.name, "acc_1", "same", 1);
      await tx.increment(notes.name, "acc_1/web", "same", 2);
      await tx.increment("visits", "acc_1", "same", 3);
      await tx.insert(notes, "acc_1", "same", { text: "no counter" });
    });
    const range = { from: "", to: "z" };
    const read = await store.transact(async (tx) => [
      await tx.counts(notes.name, "acc_1", range),
      await tx.counts(notes.name, "acc_1/web", range),
      await tx.counts("visits", "acc_1", range),
      await tx.get(notes, "acc_1", "same"),
    ]);
    expect(read).toEqual([
      [{ id: "same", count: 1 }],
      [{ id: "same", count: 2 }],
      [{ id: "same", count: 3 }],
      { text: "no counter" },
    ]);
  });

  it("reads a range in order, its end exclusive", async () => {
    const { store } = await opened(medium);
    const ids = ["2026-01-03", "2026-01-01", "2026-01-02", "2026-01-02T05", "2026-02-01"];
    await store.transact(async (tx) => {
      for (const [index, id] of ids.entries()) await tx.increment("visits", GLOBAL, id, index + 1);
    });
    const counts = (from: string, to: string) =>
      store.transact((tx) => tx.counts("visits", GLOBAL, { from, to }));
    expect(await counts("2026-01-02", "2026-01-03")).toEqual([
      { id: "2026-01-02", count: 3 },
      { id: "2026-01-02T05", count: 4 },
    ]);
    expect(await counts("2026-01-03", "2026-01-03")).toEqual([]);
    expect((await counts("", "\uffff")).map(({ id }) => id)).toEqual([...ids].sort());
    await store.transact((tx) => tx.increment("visits", GLOBAL, "2026-01-02T01", 9));
    expect((await counts("2026-01-02", "2026-01-02T02")).map(({ count }) => count)).toEqual([3, 9]);
  });

  it("keeps totals over a restart", async () => {
    const { store, reopen } = await opened(medium);
    for (let round = 0; round < 3; round++) {
      await store.transact(async (tx) => {
        await tx.increment("visits", GLOBAL, "a", 1);
        await tx.increment("visits", GLOBAL, "b", -1);
      });
    }
    const counts = await (await reopen()).transact((tx) =>
      tx.counts("visits", GLOBAL, { from: "", to: "z" }),
    );
    expect(counts).toEqual([
      { id: "a", count: 3 },
      { id: "b", count: -3 },
    ]);
  });
}

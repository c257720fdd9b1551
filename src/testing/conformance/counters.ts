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

  it("refuses increments that are not safe integers", async () => {
    const { store } = await opened(medium);
    for (const by of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      await expect(store.transact((tx) => tx.increment("visits", GLOBAL, "a", by))).rejects.toThrow(
        RangeError,
      );
    }
    expect(await store.transact((tx) => tx.increment("visits", GLOBAL, "a", 1))).toBe(1);
  });

  it("adds up increments within one transaction", async () => {
    const { store } = await opened(medium);
    const totals = await store.transact(async (tx) => [
      await tx.increment("visits", GLOBAL, "a", 1),
      await tx.increment("visits", GLOBAL, "a", 1),
      await tx.increment("visits", GLOBAL, "b", 5),
      await tx.increment("visits", GLOBAL, "a", 1),
    ]);
    expect(totals).toEqual([1, 2, 5, 3]);
  });

  it("lists counters within a transaction with its own increments", async () => {
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

  it("reads a range in pages", async () => {
    const { store } = await opened(medium);
    const ids = ["a", "b", "ü", "\uffff", "😀"];
    await store.transact(async (tx) => {
      for (const [index, id] of ids.entries()) await tx.increment("visits", "acc", id, index);
    });
    const idsIn = async (range: { from: string; after?: string; limit?: number }) =>
      (await store.transact((tx) => tx.counts("visits", "acc", { to: "\u{10ffff}", ...range }))).map(
        ({ id }) => id,
      );
    expect(await idsIn({ from: "", limit: 2 })).toEqual(["a", "b"]);
    expect(await idsIn({ from: "", after: "b", limit: 2 })).toEqual(["ü", "\uffff"]);
    expect(await idsIn({ from: "", after: "\uffff", limit: 2 })).toEqual(["😀"]);
    expect(await idsIn({ from: "b", after: "a" })).toEqual(["b", "ü", "\uffff", "😀"]);
    expect(await idsIn({ from: "", after: "aa", limit: 1 })).toEqual(["b"]);
    expect(await idsIn({ from: "", limit: 0 })).toEqual([]);
  });

  it("deletes the counters of a range permanently, up to a limit per call", async () => {
    const { store, reopen } = await opened(medium);
    const everything = { from: "", to: "~" };
    await store.transact(async (tx) => {
      for (const id of ["a", "b", "c", "d", "e"]) await tx.increment("visits", "acc/web", id, 3);
      await tx.increment("visits", "acc", "b", 1);
      await tx.increment("other", "acc/web", "b", 1);
      await tx.increment(notes.name, "acc/web", "b", 1);
      await tx.insert(notes, "acc/web", "b", { text: "no counter" });
    });
    const remove = (range: { from: string; to: string; after?: string; limit?: number }) =>
      store.transact((tx) => tx.deleteCounts("visits", "acc/web", range));
    expect(await remove({ from: "b", to: "e", limit: 2 })).toBe(2);
    expect(await remove({ from: "b", to: "e", limit: 2 })).toBe(1);
    expect(await remove({ from: "b", to: "e" })).toBe(0);
    expect(await remove({ ...everything, after: "a" })).toBe(1);
    await store.transact((tx) => tx.deleteCounts(notes.name, "acc/web", everything));
    expect(await store.transact((tx) => tx.increment("visits", "acc/web", "c", 2))).toBe(2);
    const again = await reopen();
    const read = await again.transact(async (tx) => [
      await tx.counts("visits", "acc/web", everything),
      await tx.counts("visits", "acc", everything),
      await tx.counts("other", "acc/web", everything),
      await tx.counts(notes.name, "acc/web", everything),
      await tx.get(notes, "acc/web", "b"),
    ]);
    expect(read).toEqual([
      [
        { id: "a", count: 3 },
        { id: "c", count: 2 },
      ],
      [{ id: "b", count: 1 }],
      [{ id: "b", count: 1 }],
      [],
      { text: "no counter" },
    ]);
  });

  it("deletes counters of the same transaction, and restores all counters if the transaction fails", async () => {
    const { store } = await opened(medium);
    const everything = { from: "", to: "~" };
    await store.transact((tx) => tx.increment("visits", "acc", "a", 5));
    const totals = await store.transact(async (tx) => {
      await tx.increment("visits", "acc", "b", 1);
      const deleted = await tx.deleteCounts("visits", "acc", everything);
      return [
        deleted,
        await tx.increment("visits", "acc", "a", 2),
        await tx.increment("visits", "acc", "c", 1),
      ];
    });
    expect(totals).toEqual([2, 2, 1]);
    const failed = store.transact(async (tx) => {
      await tx.deleteCounts("visits", "acc", everything);
      await tx.increment("visits", "acc", "a", 100);
      throw new Error("on purpose");
    });
    await expect(failed).rejects.toThrow("on purpose");
    expect(await store.transact((tx) => tx.counts("visits", "acc", everything))).toEqual([
      { id: "a", count: 2 },
      { id: "c", count: 1 },
    ]);
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

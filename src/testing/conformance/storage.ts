import fc from "fast-check";
import { expect, it } from "vitest";
import type { StorageUse } from "../../store/storage-use.ts";
import { GLOBAL, NoRoom, type OpenedStore } from "../../store/store.ts";
import type { AdjustableClock } from "../adjustable-clock.ts";
import { marks, notes, type OpenMedium, opened, things } from "./medium.ts";

const SECOND = 1000;
const PLENTY = { bytes: 1e9, documents: 1e9 };

/** Returns the expected size of a document: its JSON text and its id. */
function bytesOf(id: string, value: unknown): number {
  return new TextEncoder().encode(id + JSON.stringify(value)).length;
}

/** Returns the storage use, uncached. The store may cache it for a second. */
function fresh({ store, clock }: { store: OpenedStore; clock: AdjustableClock }, account: string) {
  clock.advance(SECOND);
  return store.storageOf(account);
}

/** @param times multiplies the runs of property tests */
export function storageConformance(medium: OpenMedium, times: number): void {
  it("counts the documents and counters of an account in all its spaces, and nothing else", async () => {
    const at = await opened(medium);
    expect(await at.store.storageOf("acc_1")).toEqual({ bytes: 0, documents: 0 });
    const value = { text: "größer als € 1 😀 \u0000" };
    await at.store.transact(async (tx) => {
      await tx.put(notes, "acc_1", "ü", value);
      await tx.insert(marks, "acc_1/web", "m", value);
      await tx.put(things, "acc_1/web", "t", [1, "\ud800"]);
      await tx.put(notes, "acc_12/web", "other", value);
      await tx.put(notes, GLOBAL, "nobody's", value);
      await tx.put(notes, `${GLOBAL}/default`, "nobody's", value);
      await tx.increment("visits", "acc_1/web", "thé", 1);
      await tx.increment("visits", "acc_1/web", "thé", 7);
      await tx.increment("visits", "acc_12", "thé", 1);
      await tx.increment("visits", GLOBAL, "thé", 1);
    });
    await at.store.transact((tx) => tx.increment("visits", "acc_1/web", "thé", 12));
    const documents = bytesOf("ü", value) + bytesOf("m", value) + bytesOf("t", [1, "\ud800"]);
    const bytes = documents + 4 + 64;
    expect(await fresh(at, "acc_1")).toEqual({ bytes, documents: 3 });
    expect(await fresh(at, GLOBAL)).toEqual({ bytes: 0, documents: 0 });
  });

  it("counts expired documents until they are deleted or replaced", async () => {
    const at = await opened(medium);
    const expiresAt = at.clock.now() + 10 * SECOND;
    await at.store.transact(async (tx) => {
      for (const id of ["a", "b"]) await tx.put(notes, "acc", id, { text: id }, { expiresAt });
    });
    at.clock.advance(11 * SECOND);
    expect((await fresh(at, "acc")).documents).toBe(2);
    await at.store.transact(async (tx) => {
      await tx.insert(notes, "acc", "a", { text: "again" });
      await tx.delete(notes, "acc", "b");
    });
    expect(await fresh(at, "acc")).toEqual({ bytes: bytesOf("a", { text: "again" }), documents: 1 });
  });

  it("no longer counts deleted counters", async () => {
    const at = await opened(medium);
    await at.store.transact(async (tx) => {
      for (const id of ["a", "bb", "ü"]) await tx.increment("visits", "acc/web", id, 7);
    });
    await at.store.transact((tx) => tx.deleteCounts("visits", "acc/web", { from: "b", to: "~~" }));
    expect(await fresh(at, "acc")).toEqual({ bytes: 1 + 64 + 2 + 64, documents: 0 });
    await at.store.transact((tx) => tx.deleteCounts("visits", "acc/web", { from: "", to: "\u{10ffff}" }));
    expect(await fresh(at, "acc")).toEqual({ bytes: 0, documents: 0 });
  });

  it("counts a copy like the original", async () => {
    const at = await opened(medium);
    await at.store.transact(async (tx) => {
      await tx.put(notes, "acc/web", "a", { text: "ü".repeat(100) });
      await tx.put(marks, "acc", "b", { text: "b" });
      await tx.increment("visits", "acc", "today", 5);
    });
    const copy = await opened(medium);
    await copy.store.load(at.store.dump());
    expect(await fresh(copy, "acc")).toEqual(await fresh(at, "acc"));
  });

  it("refuses and rolls back a transaction that grows beyond a bound", async () => {
    const at = await opened(medium);
    const value = { text: "x".repeat(100) };
    const size = bytesOf("a", value);
    const write = (id: string, most: StorageUse) =>
      at.store.transact(async (tx) => {
        await tx.put(notes, "acc/web", id, value);
        await tx.increment("visits", GLOBAL, "today", 1);
        await tx.assertRoom("acc", most);
      });
    await write("a", { bytes: size, documents: 1 });
    await expect(write("b", { bytes: 2 * size - 1, documents: 9 })).rejects.toMatchObject({
      name: "NoRoom",
      bound: "storageBytes",
      limit: 2 * size - 1,
      used: size,
      wanted: 2 * size,
    });
    await expect(write("b", { bytes: 2 * size, documents: 1 })).rejects.toMatchObject({
      bound: "documents",
      limit: 1,
      used: 1,
      wanted: 2,
    });
    const left = await at.store.transact(async (tx) => ({
      ids: (await tx.list(notes, "acc/web")).map(({ id }) => id),
      visits: await tx.increment("visits", GLOBAL, "today", 0),
    }));
    expect(left).toEqual({ ids: ["a"], visits: 1 });
    expect(await fresh(at, "acc")).toEqual({ bytes: size, documents: 1 });
  });

  it("rolls back a transaction without room even if its work catches the error", async () => {
    const { store } = await opened(medium);
    const voided = store.transact(async (tx) => {
      await tx.put(notes, "acc", "a", { text: "a" });
      await tx.assertRoom("acc", { bytes: 1, documents: 1 }).catch(() => {});
      return "done";
    });
    await expect(voided).rejects.toThrow(NoRoom);
    expect(await store.transact((tx) => tx.list(notes, "acc"))).toEqual([]);
  });

  it("allows reads and writes that do not grow when the bound is exceeded", async () => {
    const at = await opened(medium);
    const most = { bytes: 10, documents: 1 };
    await at.store.transact(async (tx) => {
      for (const id of ["a", "b", "c"]) await tx.put(notes, "acc", id, { text: "12345" });
    });
    const bounded = (work: Parameters<typeof at.store.transact>[0]) =>
      at.store.transact(async (tx) => {
        await work(tx);
        await tx.assertRoom("acc", most);
      });
    await bounded((tx) => tx.delete(notes, "acc", "a"));
    await bounded((tx) => tx.put(notes, "acc", "b", { text: "54321" }));
    await bounded((tx) => tx.put(notes, "acc", "b", { text: "" }));
    await bounded(async (tx) => {
      await tx.delete(notes, "acc", "c");
      await tx.put(marks, "acc", "c", { text: "1234" });
    });
    await bounded(async (tx) => {
      // Reading a range must take into account what was written before it.
      await tx.put(marks, "acc", "c", { text: "123" });
      expect(await tx.list(notes, "acc")).toEqual([{ id: "b", value: { text: "" } }]);
    });
    await at.store.transact((tx) => tx.increment("visits", "acc", "today", 1));
    await bounded((tx) => tx.increment("visits", "acc", "today", 1));
    await expect(bounded((tx) => tx.increment("visits", "acc", "tomorrow", 1))).rejects.toThrow(NoRoom);
    await bounded(async (tx) => {
      await tx.increment("visits", "acc", "today", 1);
      expect(await tx.counts("visits", "acc", { from: "a", to: "z" })).toEqual([{ id: "today", count: 3 }]);
    });
    await expect(bounded((tx) => tx.put(notes, "acc", "b", { text: "1" }))).rejects.toThrow(NoRoom);
    await expect(bounded((tx) => tx.put(things, "acc", "d", 1))).rejects.toThrow(NoRoom);
    expect((await fresh(at, "acc")).documents).toBe(2);
  });

  it("frees room at once when a document is deleted", async () => {
    const { store } = await opened(medium);
    const most = { bytes: 1000, documents: 2 };
    const write = (id: string) =>
      store.transact(async (tx) => {
        await tx.put(notes, "acc", id, { text: id });
        await tx.assertRoom("acc", most);
      });
    await write("a");
    await write("b");
    await expect(write("c")).rejects.toThrow(NoRoom);
    await store.transact((tx) => tx.delete(notes, "acc", "a"));
    await write("c");
  });

  it("holds concurrent writers to the bound, except for a few writes in flight", async () => {
    const at = await opened(medium);
    const most = { bytes: 1e6, documents: 20 };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        at.store.transact(async (tx) => {
          await tx.put(notes, `acc/${index % 3}`, `n${index}`, { text: "x" });
          await tx.assertRoom("acc", most);
        }),
      ),
    );
    const written = outcomes.filter(({ status }) => status === "fulfilled").length;
    const { documents } = await fresh(at, "acc");
    expect(documents).toBe(written);
    expect(written).toBeGreaterThanOrEqual(20);
    // Up to three of them write concurrently.
    expect(written).toBeLessThanOrEqual(24);
  });

  it("counts like its model through failures, expiry and restarts", async () => {
    const id = fc.constantFrom("a", "b", "ü😀", "c/d");
    const place = fc.constantFrom(
      ...[notes, marks].flatMap((collection) =>
        ["acc", "acc/web", "acc/app"].map((space) => ({ collection, space })),
      ),
    );
    const write = fc.record({
      place,
      id,
      text: fc.option(fc.string({ unit: "binary", maxLength: 40 }), { nil: undefined }),
      life: fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined }),
    });
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ writes: fc.array(write, { maxLength: 6 }), fails: fc.boolean() }) },
      { weight: 1, arbitrary: fc.constant("restart" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const at = await opened(medium);
        let { store } = at;
        let model = new Map<string, number>();
        for (const what of steps) {
          if (what === "restart") store = await at.reopen();
          else {
            const next = new Map(model);
            const before = sumOf(model);
            const now = at.clock.now();
            await store
              .transact(async (tx) => {
                for (const { place, id, text, life } of what.writes) {
                  const { collection, space } = place;
                  const options = life === undefined ? {} : { expiresAt: now + life };
                  if (text === undefined) await tx.delete(collection, space, id);
                  else await tx.put(collection, space, id, { text }, options);
                }
                await tx.assertRoom("acc", PLENTY);
                if (what.fails) throw new Error("on purpose");
              })
              .catch(() => {});
            if (!what.fails) {
              for (const { place, id, text } of what.writes) {
                const key = `${place.collection.name} ${place.space} ${id}`;
                if (text === undefined) next.delete(key);
                else next.set(key, bytesOf(id, { text }));
              }
              model = next;
            }
            // A cached value may be too high, but never too low.
            expect((await store.storageOf("acc")).bytes).toBeGreaterThanOrEqual(
              Math.min(before.bytes, sumOf(model).bytes),
            );
          }
          expect(await fresh({ store, clock: at.clock }, "acc")).toEqual(sumOf(model));
        }
      }),
      { numRuns: 12 * times },
    );
  });
}

function sumOf(model: Map<string, number>): StorageUse {
  return { bytes: [...model.values()].reduce((sum, bytes) => sum + bytes, 0), documents: model.size };
}

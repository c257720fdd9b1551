import { expect, it } from "vitest";
import { Conflict, GLOBAL, projectSpace } from "../../store/store.ts";
import { marks, notes, type OpenMedium, opened, shared, things } from "./medium.ts";

export function documentsConformance(medium: OpenMedium): void {
  it("reads nothing from an empty store", async () => {
    const { store } = await opened(medium);
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "n1"))).toBeUndefined();
    expect(await store.transact((tx) => tx.list(notes, GLOBAL))).toEqual([]);
  });

  it("reads the outcome of inserts, puts and deletions", async () => {
    const { store } = await opened(medium);
    const read = () => store.transact((tx) => tx.get(notes, GLOBAL, "n1"));
    await store.transact((tx) => tx.insert(notes, GLOBAL, "n1", { text: "one" }));
    expect(await read()).toEqual({ text: "one" });
    await store.transact((tx) => tx.put(notes, GLOBAL, "n1", { text: "two" }));
    expect(await read()).toEqual({ text: "two" });
    await store.transact((tx) => tx.delete(notes, GLOBAL, "n1"));
    expect(await read()).toBeUndefined();
    await store.transact((tx) => tx.delete(notes, GLOBAL, "n1"));
    await store.transact((tx) => tx.insert(notes, GLOBAL, "n1", { text: "three" }));
    expect(await read()).toEqual({ text: "three" });
  });

  it("reports with has() whether a live document exists, also within a transaction", async () => {
    const { store, clock } = await opened(medium);
    const has = (id: string) => store.transact((tx) => tx.has(notes, GLOBAL, id));
    expect(await has("n1")).toBe(false);
    await store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "n1", { text: "one" });
      await tx.put(notes, GLOBAL, "brief", { text: "brief" }, { expiresAt: clock.now() + 1000 });
      expect(await tx.has(notes, GLOBAL, "n1")).toBe(true);
    });
    expect([await has("n1"), await has("brief")]).toEqual([true, true]);
    clock.advance(1000);
    expect(await has("brief")).toBe(false);
    await store.transact(async (tx) => {
      await tx.delete(notes, GLOBAL, "n1");
      expect(await tx.has(notes, GLOBAL, "n1")).toBe(false);
    });
    expect(await has("n1")).toBe(false);
  });

  it("reads and peeks at the current documents of a cached collection", async () => {
    const { store, clock, reopen } = await opened(medium);
    const read = (id: string) =>
      store.transact(async (tx) => [await tx.get(shared, GLOBAL, id), await tx.peek(shared, GLOBAL, id)]);
    expect(await read("n1")).toEqual([undefined, undefined]);
    const within = await store.transact(async (tx) => {
      await tx.put(shared, GLOBAL, "n1", { text: "one" });
      await tx.put(shared, GLOBAL, "brief", { text: "brief" }, { expiresAt: clock.now() + 1000 });
      return tx.peek(shared, GLOBAL, "n1");
    });
    expect(within).toEqual({ text: "one" });
    expect(await read("n1")).toEqual([{ text: "one" }, { text: "one" }]);
    expect(await read("brief")).toEqual([{ text: "brief" }, { text: "brief" }]);
    clock.advance(1000);
    expect(await read("brief")).toEqual([undefined, undefined]);
    await store.transact((tx) => tx.put(shared, GLOBAL, "n1", { text: "two" }));
    expect(await read("n1")).toEqual([{ text: "two" }, { text: "two" }]);
    await store.transact((tx) => tx.delete(shared, GLOBAL, "n1"));
    expect(await read("n1")).toEqual([undefined, undefined]);
    await store.transact((tx) => tx.insert(shared, GLOBAL, "n2", { text: "kept" }));
    const kept = await (await reopen()).transact((tx) => tx.peek(shared, GLOBAL, "n2"));
    expect(kept).toEqual({ text: "kept" });
  });

  it("peeks at the current documents of a collection that is not cached", async () => {
    const { store } = await opened(medium);
    const peek = () => store.transact((tx) => tx.peek(marks, GLOBAL, "m1"));
    for (const text of ["one", "two"]) {
      await store.transact((tx) => tx.put(marks, GLOBAL, "m1", { text }));
      expect(await peek()).toEqual({ text });
    }
    await store.transact(async (tx) => {
      await tx.put(marks, GLOBAL, "m2", { text: "three" });
      expect(await tx.peek(marks, GLOBAL, "m1")).toEqual({ text: "two" });
      expect(await tx.peek(marks, GLOBAL, "m2")).toEqual({ text: "three" });
    });
    await store.transact((tx) => tx.delete(marks, GLOBAL, "m1"));
    expect(await peek()).toBeUndefined();
  });

  it("refuses to insert a document whose id is taken", async () => {
    const { store } = await opened(medium);
    await store.transact((tx) => tx.put(notes, GLOBAL, "n1", { text: "first" }));
    const refused = await store
      .transact((tx) => tx.insert(notes, GLOBAL, "n1", { text: "second" }))
      .catch((error) => error);
    expect(refused).toBeInstanceOf(Conflict);
    expect(refused).toMatchObject({ collection: notes.name, id: "n1" });
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "n1"))).toEqual({ text: "first" });
  });

  it("keeps collections and spaces apart", async () => {
    const { store } = await opened(medium);
    const spaces = [
      GLOBAL,
      "acc_1",
      projectSpace("acc_1", "web"),
      projectSpace("acc_1", "we"),
      "acc_1/web/b",
    ];
    await store.transact(async (tx) => {
      for (const space of spaces) {
        await tx.insert(notes, space, "same", { text: `note in ${space}` });
        await tx.insert(marks, space, "same", { text: `mark in ${space}` });
      }
      await tx.insert(notes, "acc_1/web", "b/same", { text: "a slash in the id" });
    });
    await store.transact((tx) => tx.delete(marks, "acc_1", "same"));
    for (const space of spaces) {
      const [note, mark, list] = await store.transact(async (tx) => [
        await tx.get(notes, space, "same"),
        await tx.get(marks, space, "same"),
        await tx.list(notes, space, { prefix: "same" }),
      ]);
      expect(note).toEqual({ text: `note in ${space}` });
      expect(mark).toEqual(space === "acc_1" ? undefined : { text: `mark in ${space}` });
      expect(list).toEqual([{ id: "same", value: note }]);
    }
  });

  it("returns a separate copy of a document to each reader", async () => {
    const { store } = await opened(medium);
    const mine = { text: "as written" };
    await store.transact((tx) => tx.put(notes, GLOBAL, "n1", mine));
    mine.text = "changed after writing";
    await store.transact(async (tx) => {
      const first = await tx.get(notes, GLOBAL, "n1");
      expect(first).toEqual({ text: "as written" });
      if (first) first.text = "changed after reading";
      const [listed] = await tx.list(notes, GLOBAL);
      expect(listed?.value).toEqual({ text: "as written" });
      if (listed) listed.value.text = "changed after listing";
      expect(await tx.get(notes, GLOBAL, "n1")).toEqual({ text: "as written" });
    });
  });

  const values: [string, unknown][] = [
    ["scalars", [null, true, false, 0, -1, 0.1, 1e308, 2 ** 53, "", "text"]],
    ["a bare string", "text"],
    ["a bare number", 7],
    ["null", null],
    ["keys that objects have anyway", JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3,"":4}')],
    ["NUL and other controls", { "\u0000": "a\u0000b\u0001\u001f\u007f\u0085" }],
    ["lone surrogates", { "\ud800": "\udfff a \ud83d", pair: "😀" }],
    ["line separators and quotes", { text: "\u2028\u2029\r\n\t\\ \" ' ` $ < & " }],
    ["other scripts", { text: "ß ü 日本語 עברית 👩‍👩‍👧 é e\u0301" }],
    ["deep nesting", JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`)],
    ["300 KB", { text: "0123456789".repeat(30_000) }],
    ["many members", Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`m${index}`, index]))],
  ];
  it.each(values)("keeps %s unchanged", async (_, value) => {
    const { store, reopen } = await opened(medium);
    await store.transact((tx) => tx.put(things, GLOBAL, "t1", value));
    const read = await store.transact((tx) => tx.get(things, GLOBAL, "t1"));
    expect(JSON.stringify(read)).toBe(JSON.stringify(value));
    const again = await (await reopen()).transact((tx) => tx.get(things, GLOBAL, "t1"));
    expect(JSON.stringify(again)).toBe(JSON.stringify(value));
  });

  it("drops undefined members, and refuses undefined as a document", async () => {
    const { store } = await opened(medium);
    await store.transact((tx) => tx.put(things, GLOBAL, "t1", { kept: 1, dropped: undefined }));
    expect(await store.transact((tx) => tx.get(things, GLOBAL, "t1"))).toStrictEqual({ kept: 1 });
    await expect(store.transact((tx) => tx.put(things, GLOBAL, "t2", undefined))).rejects.toThrow(TypeError);
    expect(await store.transact((tx) => tx.get(things, GLOBAL, "t2"))).toBeUndefined();
  });

  it("finds documents by ids of any characters", async () => {
    const { store, reopen } = await opened(medium);
    const ids = [
      '"',
      "\\",
      "\\\\",
      'a","space":"x',
      "a/b",
      "%",
      "_",
      "a b",
      "é",
      "e\u0301",
      "😀",
      "'; --",
      "{}",
      "\u2028",
    ];
    await store.transact(async (tx) => {
      for (const id of ids) await tx.insert(notes, GLOBAL, id, { text: id });
    });
    for (const next of [async () => store, reopen]) {
      const current = await next();
      for (const id of ids) {
        expect(await current.transact((tx) => tx.get(notes, GLOBAL, id))).toEqual({ text: id });
      }
      expect(await current.transact((tx) => tx.list(notes, GLOBAL))).toHaveLength(ids.length);
    }
  });

  it("keeps everything over a restart", async () => {
    const { store, reopen } = await opened(medium);
    await store.transact(async (tx) => {
      await tx.insert(notes, "acc_1", "kept", { text: "kept" });
      await tx.insert(notes, "acc_1", "gone", { text: "gone" });
      await tx.increment("visits", "acc_1", "today", 3);
    });
    await store.transact((tx) => tx.delete(notes, "acc_1", "gone"));
    const found = await (await reopen()).transact(async (tx) => ({
      notes: await tx.list(notes, "acc_1"),
      visits: await tx.increment("visits", "acc_1", "today", 1),
    }));
    expect(found).toEqual({ notes: [{ id: "kept", value: { text: "kept" } }], visits: 4 });
  });
}

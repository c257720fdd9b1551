import { expect, it } from "vitest";
import { Conflict, GLOBAL } from "../../store/store.ts";
import { notes, type OpenMedium, opened } from "./medium.ts";

export function expiryConformance(medium: OpenMedium): void {
  it("treats a document as absent from the moment it expires", async () => {
    const { store, clock } = await opened(medium);
    const expiresAt = clock.now() + 1000;
    await store.transact(async (tx) => {
      await tx.insert(notes, GLOBAL, "a", { text: "expires" }, { expiresAt });
      await tx.insert(notes, GLOBAL, "b", { text: "stays" });
    });
    const read = () =>
      store.transact(async (tx) => ({
        one: await tx.get(notes, GLOBAL, "a"),
        all: (await tx.list(notes, GLOBAL)).map(({ id }) => id),
        first: (await tx.list(notes, GLOBAL, { limit: 1 })).map(({ id }) => id),
      }));
    clock.advance(999);
    expect(await read()).toEqual({ one: { text: "expires" }, all: ["a", "b"], first: ["a"] });
    clock.advance(1);
    expect(await read()).toEqual({ one: undefined, all: ["b"], first: ["b"] });
  });

  it("accepts another insert of an id once the document has expired, not before", async () => {
    const { store, clock } = await opened(medium);
    const insert = (text: string) =>
      store.transact((tx) => tx.insert(notes, GLOBAL, "a", { text }, { expiresAt: clock.now() + 1000 }));
    await insert("first");
    await expect(insert("too early")).rejects.toThrow(Conflict);
    clock.advance(1000);
    await insert("second");
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "a"))).toEqual({ text: "second" });
  });

  it("takes the expiry of the last write, or none if that gave none", async () => {
    const { store, clock } = await opened(medium);
    const get = (id: string) => store.transact((tx) => tx.get(notes, GLOBAL, id));
    await store.transact(async (tx) => {
      for (const id of ["a", "b"]) {
        await tx.put(notes, GLOBAL, id, { text: "brief" }, { expiresAt: clock.now() + 1000 });
      }
      await tx.put(notes, GLOBAL, "a", { text: "for ever" });
      await tx.put(notes, GLOBAL, "b", { text: "longer" }, { expiresAt: clock.now() + 2000 });
    });
    clock.advance(1999);
    expect(await get("b")).toEqual({ text: "longer" });
    clock.advance(1);
    expect(await get("a")).toEqual({ text: "for ever" });
    expect(await get("b")).toBeUndefined();
  });

  it("remembers over a restart when documents expire", async () => {
    const { store, clock, reopen } = await opened(medium);
    await store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "a", { text: "a" }, { expiresAt: clock.now() + 1000 });
      await tx.put(notes, GLOBAL, "b", { text: "b" }, { expiresAt: clock.now() + 1000.5 });
    });
    const again = await reopen();
    clock.advance(1000);
    expect(await again.transact((tx) => tx.list(notes, GLOBAL))).toEqual([{ id: "b", value: { text: "b" } }]);
  });

  it("reports an expired document in the changes as deleted, or not at all", async () => {
    const { store, clock } = await opened(medium);
    const changes = (since?: string) => store.transact((tx) => tx.changes(notes, GLOBAL, since));
    const before = await changes();
    if (before === "reset") throw new Error("nothing asked for a reset");
    await store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "a", { text: "a" }, { expiresAt: clock.now() + 1000 });
      await tx.put(notes, GLOBAL, "b", { text: "b" });
    });
    clock.advance(1000);
    expect(await changes()).toMatchObject({ entries: [{ id: "b" }] });
    expect(await changes(before.version)).toMatchObject({
      entries: [{ id: "a" }, { id: "b", text: '{"text":"b"}' }],
    });
  });
}

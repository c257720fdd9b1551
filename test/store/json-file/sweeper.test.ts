import { describe, expect, it } from "vitest";
import { GLOBAL } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { linesOf, notes, openAt } from "./directory.ts";

describe("documents that have expired", () => {
  it("are deleted within a minute, and the feed tells of it", async () => {
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const store = await openAt(directory, { clock, collections: [notes] });
    const begin = await store.transact((tx) => tx.changes(notes, GLOBAL));
    if (begin === "reset") throw new Error("nothing asked for a reset");
    await store.transact(async (tx) => {
      for (let index = 0; index < 5000; index++) {
        await tx.put(notes, GLOBAL, `n${index}`, { text: "brief" }, { expiresAt: clock.now() + 1000 });
      }
      await tx.put(notes, GLOBAL, "later", { text: "later" }, { expiresAt: clock.now() + 120_000 });
      await tx.put(notes, GLOBAL, "stays", { text: "stays" });
    });
    clock.advance(60_000);
    const deletions = () =>
      linesOf(directory, "journal.jsonl").filter((line) => line.startsWith('{"delete"'));
    await expect.poll(() => deletions().length).toBe(5000);
    const changes = await store.transact((tx) => tx.changes(notes, GLOBAL, begin.version));
    expect(changes).toMatchObject({ entries: expect.arrayContaining([{ id: "n4999" }]) });
    const left = await store.transact((tx) => tx.list(notes, GLOBAL));
    expect(left.map(({ id }) => id)).toEqual(["later", "stays"]);
  });

  it("count in what their account stores until then", async () => {
    const clock = fakeClock();
    const store = await openAt(temporaryDirectory(), { clock });
    await store.transact(async (tx) => {
      await tx.put(notes, "acc/web", "brief", { text: "" }, { expiresAt: clock.now() + 1000 });
      await tx.put(notes, "acc", "stays", { text: "" });
    });
    clock.advance(59_000);
    expect(await store.storageOf("acc")).toMatchObject({ documents: 2 });
    clock.advance(1000);
    await expect
      .poll(() => store.storageOf("acc"))
      .toEqual({ bytes: 'stays{"text":""}'.length, documents: 1 });
  });

  it("stay where they were written anew in the meantime", async () => {
    const clock = fakeClock();
    const store = await openAt(temporaryDirectory(), { clock });
    const write = () =>
      store.transact((tx) => tx.put(notes, GLOBAL, "a", { text: "a" }, { expiresAt: clock.now() + 60_000 }));
    await write();
    clock.advance(60_000);
    await write();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "a"))).toEqual({ text: "a" });
  });
});

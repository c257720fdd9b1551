import { describe, expect, it, vi } from "vitest";
import { Conflict, GLOBAL, StoreUnavailable } from "../../../../src/store/store.ts";
import { fakeClock } from "../../../support/clock.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { imageOf, linesOf, notes, notesOf, openAt, put, recordingLog } from "../directory.ts";
import { faultyFiles, gate } from "../faulty-files.ts";

describe("group commit", () => {
  it("makes all waiting transactions durable with one write and one sync", async () => {
    const files = faultyFiles();
    const store = await openAt(temporaryDirectory(), { openFile: files.open });
    await Promise.all(Array.from({ length: 100 }, (_, index) => put(store, `n${index}`)));
    expect(files).toMatchObject({ writes: 1, syncs: 1 });
  });

  it("writes a large group in parts of about a megabyte, and syncs once", async () => {
    const files = faultyFiles();
    const directory = temporaryDirectory();
    const store = await openAt(directory, { openFile: files.open });
    const text = "x".repeat(100_000);
    await store.transact(async (tx) => {
      for (let index = 0; index < 30; index++) await tx.put(notes, GLOBAL, `n${index}`, { text });
    });
    // A part holds eleven documents.
    expect(files).toMatchObject({ writes: 3, syncs: 1 });
    expect(Object.keys(await notesOf(await openAt(imageOf(directory))))).toHaveLength(30);
  });

  it("gathers the next group while one is being written", async () => {
    const files = faultyFiles();
    const store = await openAt(temporaryDirectory(), { openFile: files.open });
    const { closed, open } = gate();
    files.stalled = closed;
    const first = put(store, "first");
    await tick();
    const later = Array.from({ length: 20 }, (_, index) => put(store, `n${index}`));
    await tick();
    files.stalled = undefined;
    open();
    await Promise.all([first, ...later]);
    expect(files).toMatchObject({ writes: 2, syncs: 2 });
  });

  it("writes the next group during a sync, and acknowledges the groups in order", async () => {
    const directory = temporaryDirectory();
    const files = faultyFiles();
    const store = await openAt(directory, { openFile: files.open });
    const settled: string[] = [];
    const write = (id: string) => put(store, id).then(() => settled.push(id));
    const { closed, open } = gate();
    files.unsynced = closed;
    const first = write("first");
    await until(() => files.syncs === 1);
    files.unsynced = undefined;
    const second = write("second");
    await until(() => files.syncs === 2);
    const third = write("third");
    await tick();
    expect(files.writes).toBe(2);
    expect(await notesOf(await openAt(imageOf(directory)))).toEqual({ first: "first", second: "second" });
    expect(settled).toEqual([]);
    open();
    await Promise.all([first, second, third]);
    expect(settled).toEqual(["first", "second", "third"]);
  });

  it("rejects the writes that do not fit on a full disk, and keeps those before and after", async () => {
    const directory = temporaryDirectory();
    const files = faultyFiles();
    const store = await openAt(directory, { openFile: files.open });
    const { closed, open } = gate();
    files.unsynced = closed;
    const first = put(store, "first");
    await until(() => files.syncs === 1);
    files.free = 10;
    const second = put(store, "second").catch((error) => error);
    await until(() => files.free === 0);
    const third = put(store, "third").catch((error) => error);
    open();
    await first;
    expect(await second).toBeInstanceOf(StoreUnavailable);
    expect(await third).toBeInstanceOf(StoreUnavailable);
    files.free = Number.POSITIVE_INFINITY;
    await put(store, "fourth");
    expect(await notesOf(store)).toEqual({ first: "first", fourth: "fourth" });
    expect(await notesOf(await openAt(imageOf(directory)))).toEqual({ first: "first", fourth: "fourth" });
  });

  it("rejects all pending writes if one sync fails, and ends the process once", async () => {
    const files = faultyFiles();
    let ends = 0;
    const store = await openAt(temporaryDirectory(), {
      openFile: files.open,
      terminate: () => {
        ends++;
      },
    });
    const { closed, open } = gate();
    files.unsynced = closed;
    const lost = [put(store, "first").catch((error) => error)];
    await until(() => files.syncs === 1);
    lost.push(put(store, "second").catch((error) => error));
    await until(() => files.syncs === 2);
    files.broken = true;
    open();
    for (const error of await Promise.all(lost)) expect(error).toBeInstanceOf(StoreUnavailable);
    await expect(put(store, "third")).rejects.toBeInstanceOf(StoreUnavailable);
    expect(ends).toBe(1);
  });

  it("writes a document or counter that changes several times in a group once", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.transact(async (tx) => {
          await tx.increment("visits", GLOBAL, "day", 1);
          await tx.increment("visits", GLOBAL, "month", 1);
          await tx.put(notes, GLOBAL, "latest", { text: `${index}` });
        }),
      ),
    );
    expect(linesOf(directory, "journal.jsonl").slice(2, -1)).toEqual([
      '{"count":"visits","space":"global","id":"day","value":50}',
      '{"count":"visits","space":"global","id":"month","value":50}',
      '{"put":"notes","space":"global","id":"latest","value":{"text":"49"}}',
    ]);
  });

  it("acknowledges a write only once it is on disk", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    const recovered: Promise<Record<string, string>>[] = [];
    await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        await put(store, `n${index}`);
        const image = imageOf(directory);
        recovered.push(
          openAt(image)
            .then(notesOf)
            .then((found) => ({ asked: `n${index}`, ...found })),
        );
      }),
    );
    for (const { asked, ...found } of await Promise.all(recovered))
      expect(found).toHaveProperty(asked as string);
  });

  it("makes a reader wait only for the pending writes that it read", async () => {
    const files = faultyFiles();
    const store = await openAt(temporaryDirectory(), { openFile: files.open });
    await put(store, "durable");
    const { closed, open } = gate();
    files.stalled = closed;
    const settled: string[] = [];
    const note = (name: string, promise: Promise<unknown>) =>
      promise.then(
        () => settled.push(name),
        () => settled.push(`${name} failed`),
      );
    const get = (id: string) => store.transact((tx) => tx.get(notes, GLOBAL, id));
    const insert = (id: string) => store.transact((tx) => tx.insert(notes, GLOBAL, id, { text: id }));
    const all = [
      note("write", put(store, "pending")),
      note("get pending", get("pending")),
      note(
        "list pending",
        store.transact((tx) => tx.list(notes, GLOBAL)),
      ),
      note(
        "changes pending",
        store.transact((tx) => tx.changes(notes, GLOBAL)),
      ),
      note("conflict with pending", insert("pending")),
      note("get durable", get("durable")),
      note(
        "list elsewhere",
        store.transact((tx) => tx.list(notes, "acc_1")),
      ),
      note("conflict with durable", insert("durable")),
      note("absent", get("absent")),
    ];
    await tick();
    expect(settled.sort()).toEqual([
      "absent",
      "conflict with durable failed",
      "get durable",
      "list elsewhere",
    ]);
    settled.length = 0;
    open();
    files.stalled = undefined;
    await Promise.all(all);
    expect(settled.sort()).toEqual([
      "changes pending",
      "conflict with pending failed",
      "get pending",
      "list pending",
      "write",
    ]);
  });

  it("makes a reader wait for the pending deletion of what it read", async () => {
    const files = faultyFiles();
    const store = await openAt(temporaryDirectory(), { openFile: files.open });
    await put(store, "a");
    const { closed, open } = gate();
    files.stalled = closed;
    let answered = 0;
    const noticed = () => {
      answered++;
    };
    const deletion = store.transact((tx) => tx.delete(notes, GLOBAL, "a"));
    const read = store.transact((tx) => tx.get(notes, GLOBAL, "a")).then(noticed);
    const again = store.transact((tx) => tx.delete(notes, GLOBAL, "a")).then(noticed);
    await tick();
    expect(answered).toBe(0);
    open();
    await Promise.all([deletion, read, again]);
    expect(answered).toBe(2);
  });

  it("writes nothing for transactions that only read, or that failed", async () => {
    const files = faultyFiles();
    const store = await openAt(temporaryDirectory(), { openFile: files.open });
    await store.transact((tx) => tx.list(notes, GLOBAL));
    const failed = store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "a", { text: "a" });
      throw new Error("on purpose");
    });
    await expect(failed).rejects.toThrow("on purpose");
    expect(await store.transact((tx) => tx.list(notes, GLOBAL))).toEqual([]);
    expect(files).toMatchObject({ writes: 0, syncs: 0 });
  });
});

describe("a store on a full disk", () => {
  it("undoes and rejects writes that do not fit, and accepts writes again once there is room", async () => {
    const files = faultyFiles();
    const directory = temporaryDirectory();
    const store = await openAt(directory, { openFile: files.open });
    await put(store, "before", "kept");
    await store.transact((tx) => tx.increment("visits", GLOBAL, "a", 1));
    const followed = await store.transact((tx) => tx.changes(notes, GLOBAL));

    files.free = 50;
    const lost = [
      put(store, "before", "changed"),
      put(store, "new"),
      store.transact((tx) => tx.delete(notes, GLOBAL, "before")),
      store.transact((tx) => tx.increment("visits", GLOBAL, "a", 1)),
      store.transact((tx) => tx.get(notes, GLOBAL, "new")),
      store.transact((tx) => tx.insert(notes, GLOBAL, "new", { text: "not a conflict after all" })),
    ];
    for (const outcome of await Promise.allSettled(lost)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    }
    expect(await notesOf(store)).toEqual({ before: "kept" });
    expect(await store.transact((tx) => tx.changes(notes, GLOBAL))).toEqual(followed);
    await expect(store.probe()).rejects.toThrow(StoreUnavailable);
    const { log, lines } = recordingLog();
    expect(await notesOf(await openAt(imageOf(directory), { log }))).toEqual({ before: "kept" });
    expect(lines).toEqual([]);

    files.free = Number.POSITIVE_INFINITY;
    await expect(store.probe()).resolves.toBeUndefined();
    await store.transact((tx) => tx.insert(notes, GLOBAL, "new", { text: "fits" }));
    expect(await store.transact((tx) => tx.increment("visits", GLOBAL, "a", 1))).toBe(2);
    const again = await openAt(imageOf(directory), { log });
    expect(await notesOf(again)).toEqual({ before: "kept", new: "fits" });
    expect(lines).toEqual([]);
  });

  it("rejects readers of lost writes, and a transaction that was half done", async () => {
    const files = faultyFiles();
    const store = await openAt(temporaryDirectory(), { openFile: files.open });
    const disk = gate();
    files.stalled = disk.closed;
    files.free = 10;
    const first = put(store, "first").catch((error) => error);
    await tick();
    const reader = store.transact((tx) => tx.get(notes, GLOBAL, "first")).catch((error) => error);
    const work = gate();
    const halfWay = store
      .transact(async (tx) => {
        await tx.put(notes, GLOBAL, "half", { text: "half" });
        await work.closed;
        await tx.put(notes, GLOBAL, "whole", { text: "whole" });
      })
      .catch((error) => error);
    disk.open();
    expect(await first).toBeInstanceOf(StoreUnavailable);
    files.free = Number.POSITIVE_INFINITY;
    work.open();
    expect(await reader).toBeInstanceOf(StoreUnavailable);
    expect(await halfWay).toBeInstanceOf(StoreUnavailable);
    await put(store, "after");
    expect(await notesOf(store)).toEqual({ after: "after" });
  });

  it.each(["stalled", "unsynced"] as const)("is waited for on closing without spinning (%s)", async (how) => {
    const directory = temporaryDirectory();
    const files = faultyFiles();
    const clock = fakeClock();
    const store = await openAt(directory, { openFile: files.open, clock });
    const disk = gate();
    files[how] = disk.closed;
    const write = put(store, "a").catch((error) => error);
    await tick();
    const closing = store.close();
    for (let ticks = 0; ticks < 11; ticks++) clock.advance(500);
    expect(await write).toBeInstanceOf(StoreUnavailable);
    const turns = vi.spyOn(globalThis, "setImmediate");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(turns.mock.calls.length).toBeLessThan(10);
    turns.mockRestore();
    disk.open();
    await closing;
    expect(await notesOf(await openAt(imageOf(directory)))).toEqual({ a: "a" });
  });

  it("still answers reads and checks rate limits", async () => {
    const files = faultyFiles();
    const store = await openAt(temporaryDirectory(), { openFile: files.open });
    await put(store, "a");
    files.free = 0;
    await expect(put(store, "b")).rejects.toMatchObject({ cause: { code: "ENOSPC" } });
    await expect(store.probe()).rejects.toMatchObject({ cause: { code: "ENOSPC" } });
    expect(await notesOf(store)).toEqual({ a: "a" });
    await expect(store.transact((tx) => tx.insert(notes, GLOBAL, "a", { text: "a" }))).rejects.toThrow(
      Conflict,
    );
    expect(await store.admit([{ key: "k", capacity: 1, kind: "fixed", windowMs: 1000 }])).toMatchObject({
      admitted: true,
    });
    files.free = Number.POSITIVE_INFINITY;
  });
});

describe("a store on a disk that hangs", () => {
  it("rejects pending requests after 5 s without undoing their writes, and refuses new ones", async () => {
    const files = faultyFiles();
    const clock = fakeClock();
    const directory = temporaryDirectory();
    const store = await openAt(directory, { openFile: files.open, clock });
    await put(store, "before");
    const disk = gate();
    files.stalled = disk.closed;
    const [first, second] = [put(store, "first"), put(store, "second")];
    const reader = store.transact((tx) => tx.get(notes, GLOBAL, "first"));
    const outcomes = Promise.allSettled([first, second, reader]);
    for (let ticks = 0; ticks < 10; ticks++) {
      await tick();
      clock.advance(500);
    }
    const late = put(store, "late").catch((error) => error);
    await tick();
    clock.advance(500);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { name: "StoreUnavailable", message: expect.stringMatching(/5 s.*is not known/) },
      });
    }
    await expect(put(store, "refused")).rejects.toThrow("nothing was written");
    await expect(store.probe()).rejects.toThrow("the disk does not answer");
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "before"))).toEqual({ text: "before" });

    disk.open();
    files.stalled = undefined;
    expect(await late).toBeUndefined();
    await put(store, "after");
    const all = { before: "before", first: "first", second: "second", late: "late", after: "after" };
    expect(await notesOf(store)).toEqual(all);
    expect(await notesOf(await openAt(imageOf(directory)))).toEqual(all);
  });
});

describe("a failed fdatasync", () => {
  it("ends the process, and rejects the pending write and all later ones", async () => {
    const files = faultyFiles();
    const endings: unknown[] = [];
    const store = await openAt(temporaryDirectory(), {
      openFile: files.open,
      terminate: (error) => endings.push(error),
    });
    await put(store, "a");
    files.broken = true;
    await expect(put(store, "b")).rejects.toMatchObject({
      name: "StoreUnavailable",
      message: "the disk failed",
      cause: { code: "EIO" },
    });
    expect(endings).toMatchObject([{ code: "EIO" }]);
    files.broken = false;
    await expect(put(store, "c")).rejects.toThrow(StoreUnavailable);
    await expect(store.probe()).rejects.toThrow(StoreUnavailable);
  });
});

/** Waits without the disk: lets the event loop run until a condition holds. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise(setImmediate);
}

async function tick(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise(setImmediate);
}

import { describe, expect, it } from "vitest";
import { startSweeper } from "../../../src/store/json-file/sweeper.ts";
import { Tables } from "../../../src/store/json-file/tables.ts";
import { createTransactions, type TransactionsOptions } from "../../../src/store/json-file/transactions.ts";
import { immediately } from "../../../src/store/memory.ts";
import { collection, GLOBAL, StoreUnavailable, type Transaction } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { linesOf, notes, openAt, recordingLog } from "./directory.ts";

describe("expired documents", () => {
  it("are deleted within a minute, and appear in the change feed", async () => {
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

  it("count in their account's storage until they are deleted", async () => {
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

  it("are kept if they were written again in the meantime", async () => {
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

  /** Creates a sweeper on tables with `expired` expired documents, and one that stays. */
  function beside(expired: number) {
    const clock = fakeClock();
    const tables = new Tables();
    const table = tables.obtain("put", "notes", GLOBAL);
    for (let id = 0; id < expired; id++) tables.write(table, `n${id}`, "x", clock.now() + 1000);
    tables.write(table, "stays", "x");
    tables.write(tables.obtain("put", "others", GLOBAL), "never", "x");
    const { lines, log } = recordingLog();
    const faults: { failures: Error[]; transactions: number } = { failures: [], transactions: 0 };
    const sweeper = startSweeper(
      tables,
      async (work) => {
        faults.transactions++;
        const failure = faults.failures.shift();
        if (failure) throw failure;
        return work(undefined as never);
      },
      { clock, log },
    );
    const pass = async () => {
      clock.advance(60_000);
      // Each part takes a turn.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    };
    return { clock, table, lines, faults, sweeper, pass };
  }

  it("are deleted in batches, without a transaction if none has expired", async () => {
    const { table, faults, pass } = beside(4100);
    await pass();
    expect([...table.rows.keys()]).toEqual(["stays"]);
    // Each transaction sweeps two thousand, and the last one the rest.
    expect(faults.transactions).toBe(3);
    await pass();
    expect(faults.transactions).toBe(3);
  });

  it("are deleted a minute after a failure, which is logged unless it is StoreUnavailable", async () => {
    const { table, lines, faults, pass } = beside(3);
    faults.failures = [new StoreUnavailable("the disk is full"), new Error("a fault")];
    await pass();
    await pass();
    expect(lines).toMatchObject([
      {
        ...{ level: "error", message: "expired documents were not deleted" },
        details: { err: { message: "a fault" } },
      },
    ]);
    expect(table.rows.size).toBe(4);
    await pass();
    expect(table.rows.size).toBe(1);
  });

  it("are kept once the sweeper is stopped", async () => {
    const { table, sweeper, pass } = beside(3);
    sweeper.stop();
    await pass();
    expect(table.rows.size).toBe(4);
  });
});

describe("the memory of what was deleted", () => {
  const others = collection("others");

  it("is given back within two minutes, but for what somebody follows", async () => {
    const clock = fakeClock();
    const tables = new Tables(new Set([notes.name]));
    const store = createTransactions({ ...memory(tables), clock });
    startSweeper(tables, store.transact, { clock, log: recordingLog().log });
    const change = (work: (tx: Transaction) => Promise<void>) => store.transact(work);
    const pass = async () => {
      clock.advance(60_000);
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    };
    const before = tables.storage.heapBytes;
    await change(async (tx) => {
      for (const id of ["a", "b", "c"]) {
        await tx.put(others, "acc/gone", id, {});
        await tx.put(notes, "acc/gone", id, { text: id });
        await tx.increment("uses", "acc/gone", id, 1);
      }
    });
    const held = await store.transact((tx) => tx.changes(notes, "acc/gone"));
    if (held === "reset") expect.fail("nothing is forgotten yet");
    await pass();
    expect([...tables.all()]).toHaveLength(3);
    await change(async (tx) => {
      for (const id of ["a", "b", "c"]) {
        await tx.delete(others, "acc/gone", id);
        await tx.delete(notes, "acc/gone", id);
      }
      await tx.deleteCounts("uses", "acc/gone", { from: "", to: "z" });
    });
    await pass();
    expect(Array.from(tables.all(), ({ name }) => name)).toEqual([notes.name]);
    expect(tables.storage.heapBytes - before).toBeLessThan(1000);
    expect(await store.transact((tx) => tx.changes(notes, "acc/gone", held.version))).toBe("reset");
    await change((tx) => tx.put(notes, "acc/gone", "d", { text: "d" }));
    expect(await store.transact((tx) => tx.changes(notes, "acc/gone"))).toMatchObject({
      entries: [{ id: "d" }],
    });
    await change((tx) => tx.put(others, "acc/gone", "d", {}));
    expect(await store.transact((tx) => tx.ids(others, "acc/gone"))).toEqual(["d"]);
    await store.close();
  });

  it("is kept while a write may be undone", async () => {
    const tables = new Tables();
    const table = tables.obtain("put", others.name, "acc");
    tables.write(table, "a", "{}");
    tables.save();
    tables.saved(tables.version);
    tables.write(table, "a", undefined);
    tables.tidy(table);
    tables.undoAllUnsaved();
    tables.tidy(table);
    expect(tables.find("put", others.name, "acc")?.rows.has("a")).toBe(true);
  });
});

/** Returns what transactions on tables need, where every write is durable at once. */
function memory(tables: Tables): Omit<TransactionsOptions, "clock"> {
  return {
    tables,
    opening: "opening_test",
    guard: { refusal: () => undefined, measure() {}, canGrow: () => true, describe: () => undefined },
    commit: immediately(tables),
  };
}

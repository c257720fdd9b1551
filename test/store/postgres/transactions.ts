import { expect, it } from "vitest";
import type { StoreOptions } from "../../../src/store/open.ts";
import {
  type Collection,
  collection,
  GLOBAL,
  type OpenedStore,
  type Transaction,
} from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { withClient } from "../../support/services/postgres.ts";
import { type Databases, eventually, numbers, openInstances } from "./databases.ts";

const notes = collection<string>("notes");
const followed = collection<string>("followed", { changes: true });
const cached = collection<string>("cached", { cached: true });
const collections: Collection<unknown>[] = [notes, followed, cached];

/** The sessions of this database that wait for an advisory lock. */
const WAITING = `FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function readAndCount(tx: Transaction): Promise<number> {
  await tx.get(notes, GLOBAL, "a");
  return tx.increment("n", GLOBAL, "n", 1);
}

/** Runs `work` while a transaction of the store holds the lock of what `readAndCount` counts. */
async function whileHeld(store: OpenedStore, work: () => Promise<void>): Promise<void> {
  let hold = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = store.transact(async (tx) => {
    // Only the run that has the lock learns the total.
    await readAndCount(tx);
    hold();
    await released;
  });
  await Promise.race([held, holding]);
  await work().finally(release);
  await holding;
}

export function transactionsSuite({ borrow, create }: Databases): void {
  async function open(options: Partial<StoreOptions> = {}): Promise<OpenedStore> {
    const [store] = await openInstances(await borrow(), 1, collections, options);
    return store as OpenedStore;
  }

  it("may touch more in its final run than in its first", async () => {
    const store = await open();
    await store.transact((tx) => tx.increment("chain", "space0", "next", 7));
    // The spaces depend on totals, which only the final run of the function sees.
    const walk = (start: number) =>
      store.transact(async (tx) => {
        let total = await tx.increment("chain", `space${start}`, "next", 1);
        for (let step = 0; step < 5; step++) {
          total = await tx.increment("chain", `space${total % 4}`, "next", 1);
          await tx.put(notes, `space${total % 3}`, `step${step}`, `${total}`);
          if (total % 2 === 0) await tx.put(followed, `space${total % 5}`, "even", `${total}`);
        }
        return (await tx.list(notes, "space1")).length;
      });
    await Promise.all(numbers(30).map((start) => walk(start % 4)));
    const totals = await Promise.all(
      numbers(4).map((n) => store.transact((tx) => tx.increment("chain", `space${n}`, "next", 0))),
    );
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(7 + 30 * 6);
  });

  it("sees its own writes in get(), list(), counts() and increment()", async () => {
    const store = await open();
    await store.transact(async (tx) => {
      expect(await tx.get(cached, GLOBAL, "c")).toBeUndefined();
      await tx.put(cached, GLOBAL, "c", "one");
      expect(await tx.get(cached, GLOBAL, "c")).toBe("one");
      expect(await tx.increment("n", GLOBAL, "n", 2)).toBe(2);
      expect(await tx.counts("n", GLOBAL, { from: "a", to: "z" })).toEqual([{ id: "n", count: 2 }]);
      expect(await tx.increment("n", GLOBAL, "n", 3)).toBe(5);
      expect(await tx.list(cached, GLOBAL)).toEqual([{ id: "c", value: "one" }]);
      await tx.delete(cached, GLOBAL, "c");
      expect(await tx.get(cached, GLOBAL, "c")).toBeUndefined();
      await tx.insert(cached, GLOBAL, "c", "two");
      expect(await tx.list(cached, GLOBAL)).toEqual([{ id: "c", value: "two" }]);
    });
    expect(await store.transact((tx) => tx.get(cached, GLOBAL, "c"))).toBe("two");
    expect(await store.transact((tx) => tx.increment("n", GLOBAL, "n", 0))).toBe(5);
  });

  it("fails with a conflict between two inserts of its own", async () => {
    const store = await open();
    const twice = store.transact((tx) =>
      Promise.all([tx.insert(notes, GLOBAL, "a", "one"), tx.insert(notes, GLOBAL, "a", "two")]),
    );
    await expect(twice).rejects.toThrow("notes a exists already");
    expect(await store.transact((tx) => tx.get(notes, GLOBAL, "a"))).toBeUndefined();
  });

  it("refuses ids that PostgreSQL cannot store", async () => {
    const store = await open();
    for (const id of ["a\0b", "\ud800"]) {
      await expect(store.transact((tx) => tx.put(notes, GLOBAL, id, "x"))).rejects.toThrow(TypeError);
    }
  });

  it("can read and write 3,000 documents", async () => {
    const store = await open();
    const ids = numbers(3000).map((n) => `n${n}`);
    const add = () =>
      store.transact(async (tx) => {
        const found = await Promise.all(ids.map((id) => tx.get(notes, GLOBAL, id)));
        await Promise.all(ids.map((id, n) => tx.put(notes, GLOBAL, id, `${found[n] ?? ""}x`)));
      });
    await Promise.all([add(), add(), add()]);
    const all = await store.transact((tx) => tx.list(notes, GLOBAL));
    expect(new Set(all.map(({ value }) => value))).toEqual(new Set(["xxx"]));
    expect(all).toHaveLength(3000);
  });

  it("is told that the database is unavailable when its wait for a lock is cancelled, whatever it was to read next", async () => {
    const url = await borrow();
    const [holder, waiter] = (await openInstances(url, 2, collections)) as [OpenedStore, OpenedStore];
    await whileHeld(holder, async () => {
      const failed = expect(waiter.transact(readAndCount)).rejects.toMatchObject({
        name: "StoreUnavailable",
      });
      await withClient(url, async (client) => {
        const cancelled = async () =>
          (await client.query(`SELECT pg_cancel_backend(pid) ${WAITING}`)).rowCount;
        await eventually(async () => (await cancelled()) === 1);
      });
      await failed;
    });
    expect(await waiter.transact(readAndCount)).toBe(2);
  });

  it("waits for another instance for longer than the database's lock_timeout", async () => {
    const url = await create();
    const database = new URL(url).pathname.slice(1);
    await withClient(url, (client) => client.query(`ALTER DATABASE ${database} SET lock_timeout = 1`));
    const [holder, waiter] = (await openInstances(url, 2, collections)) as [OpenedStore, OpenedStore];
    let counted = Promise.resolve(0);
    await whileHeld(holder, async () => {
      counted = waiter.transact(readAndCount);
      await withClient(url, async (client) => {
        const longer = `SELECT ${WAITING} AND waitstart < clock_timestamp() - interval '20 ms'`;
        const hasWaited = async () => (await client.query(longer)).rowCount === 1;
        await Promise.race([eventually(hasWaited), counted]);
      });
    });
    expect(await counted).toBe(2);
  });

  it("is abandoned if it awaits another one, while others in its group succeed", async () => {
    const clock = fakeClock();
    const store = await open({ clock });
    let begun = false;
    const nested = store.transact(async (tx) => {
      await tx.increment("n", GLOBAL, "n", 1);
      begun = true;
      await store.transact((other) => other.increment("n", GLOBAL, "n", 1));
    });
    const refused = expect(nested).rejects.toThrow("took too long");
    const others = numbers(10).map(() => store.transact((tx) => tx.increment("n", GLOBAL, "n", 1)));
    let ended = false;
    nested.catch(() => {}).finally(() => (ended = true));
    // Until then, what passes of the fake clock is no time that the database had to answer in.
    await eventually(async () => begun);
    while (!ended) {
      await new Promise((wake) => setTimeout(wake, 20));
      clock.advance(1000);
    }
    await refused;
    expect(Math.max(...(await Promise.all(others)))).toBeGreaterThanOrEqual(10);
  });
}

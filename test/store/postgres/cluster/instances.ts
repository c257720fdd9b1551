import { expect, it } from "vitest";
import {
  type Changes,
  Conflict,
  collection,
  GLOBAL,
  type LimitWindow,
  type OpenedStore,
} from "../../../../src/store/store.ts";
import { fakeClock } from "../../../support/clock.ts";
import { withClient } from "../../../support/services/postgres.ts";
import { type Databases, numbers, openInstances } from "../databases.ts";

const balances = collection<number>("balances");
const codes = collection<{ owner: string }>("codes");
const notes = collection<{ text: string }>("notes", { changes: true });
const collections = [balances, codes, notes];

export function instancesSuite({ borrow }: Databases): void {
  it("open an empty database at the same time", async () => {
    const stores = await openInstances(await borrow(), 5, collections);
    await stores[0]?.transact((tx) => tx.put(notes, GLOBAL, "a", { text: "a" }));
    for (const store of stores) {
      expect(await store.transact((tx) => tx.get(notes, GLOBAL, "a"))).toEqual({ text: "a" });
    }
  });

  it("return each total of a shared counter once, without failed transactions", async () => {
    const stores = await openInstances(await borrow(), 2, collections);
    const outcomes = await Promise.allSettled(
      numbers(1100).map((index) =>
        storeFor(stores, index).transact(async (tx) => {
          const [total] = await Promise.all([
            tx.increment("requests", "acc/web", "day", 1),
            tx.increment("requests", "acc/web", "month", 1),
          ]);
          if (index % 11 === 0) throw new Error("on purpose");
          return total;
        }),
      ),
    );
    const totals = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(totals.sort((left, right) => left - right)).toEqual(numbers(1000).map((index) => index + 1));
    const counts = await stores[0]?.transact((tx) =>
      tx.counts("requests", "acc/web", { from: "a", to: "z" }),
    );
    expect(counts).toEqual([
      { id: "day", count: 1000 },
      { id: "month", count: 1000 },
    ]);
  });

  it("fail only the conflicting transaction of those that share a database transaction", async () => {
    const stores = await openInstances(await borrow(), 2, collections);
    const outcomes = await Promise.allSettled(
      numbers(300).map((index) =>
        storeFor(stores, index).transact(async (tx) => {
          await tx.insert(codes, GLOBAL, `code${index % 100}`, { owner: `${index}` });
          return tx.increment("codes", GLOBAL, "all", 1);
        }),
      ),
    );
    const totals = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(totals.sort((left, right) => left - right)).toEqual(numbers(100).map((index) => index + 1));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Conflict);
    }
  });

  it("let exactly one transaction consume a code", async () => {
    const stores = await openInstances(await borrow(), 3, collections);
    await stores[0]?.transact((tx) => tx.put(codes, GLOBAL, "code", { owner: "somebody" }));
    const redeemed = await Promise.all(
      numbers(50).map((index) =>
        storeFor(stores, index).transact(async (tx) => {
          const found = await tx.get(codes, GLOBAL, "code");
          if (found) await tx.delete(codes, GLOBAL, "code");
          return found !== undefined;
        }),
      ),
    );
    expect(redeemed.filter(Boolean)).toHaveLength(1);
  });

  it("admit exactly what a window holds", async () => {
    const stores = await openInstances(await borrow(), 3, collections);
    const day: LimitWindow = { key: "day", capacity: 700, kind: "fixed", windowMs: 30 * 86_400_000 };
    const small: LimitWindow = { ...day, key: "small", capacity: 250 };
    const burst: LimitWindow = { key: "burst", capacity: 650, kind: "bucket", windowMs: 1e12 };
    const verdicts = await Promise.all(
      numbers(1500).map((index) =>
        storeFor(stores, index).admit(index % 2 === 0 ? [day, burst] : [burst, small, day]),
      ),
    );
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(650);
    const [left] = (await (stores[0] as OpenedStore).admit([{ ...day, cost: 0 }])).windows;
    expect(left?.remaining).toBe(50);
  });

  it("report what is left in a window without waiting for locks or creating rows", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    const day: LimitWindow = { key: "day", capacity: 700, kind: "fixed", windowMs: 30 * 86_400_000 };
    const small: LimitWindow = { ...day, key: "small" };
    await store.admit([day]);
    const asking = [day, small].map((window) => ({ ...window, cost: 0 }));
    await withClient(url, async (other) => {
      await other.query("BEGIN");
      await other.query("SELECT FROM toolplane._windows FOR UPDATE");
      const { windows } = await store.admit(asking);
      expect(windows.map(({ remaining }) => remaining)).toEqual([699, 700]);
      const { rows } = await other.query("SELECT key FROM toolplane._windows");
      expect(rows).toEqual([{ key: "day" }]);
      await other.query("ROLLBACK");
    });
  });

  it("refill a bucket once for all of them, and not because their clocks differ", async () => {
    const url = await borrow();
    const refillMs = 3_600_000;
    const bucket: LimitWindow = { key: "burst", capacity: 10, refill: 1, kind: "bucket", windowMs: refillMs };
    const clocks = [0, 86_400_000].map((aheadMs) => fakeClock(1_700_000_000_000 + aheadMs));
    const stores = await Promise.all(
      clocks.map(async (clock) => (await openInstances(url, 1, collections, { clock }))[0] as OpenedStore),
    );
    const admit = async (index: number) => (await storeFor(stores, index).admit([bucket])).admitted;
    const admitted = async (count: number) => {
      let total = 0;
      for (const index of numbers(count)) if (await admit(index)) total++;
      return total;
    };
    for (const _ of numbers(10)) expect(await admit(0)).toBe(true);
    expect(await admitted(60)).toBe(0);
    for (const _ of numbers(3)) {
      for (const clock of clocks) clock.advance(refillMs);
      expect(await admitted(6)).toBe(1);
    }
  });

  it("keep concurrent transfers and sums serializable", async () => {
    const stores = await openInstances(await borrow(), 3, collections);
    const holders = numbers(6).map((index) => `holder${index}`);
    await stores[0]?.transact(async (tx) => {
      for (const holder of holders) await tx.put(balances, spaceOf(holder), holder, 100);
    });
    const pick = (index: number) => holders[index % holders.length] as string;
    const transfers = numbers(240).map((index) =>
      storeFor(stores, index).transact(async (tx) => {
        const [from, to] = [pick(index), pick(index * 7 + 1)];
        const before = (await tx.get(balances, spaceOf(from), from)) ?? 0;
        if (from === to || before < 30) return;
        await tx.put(balances, spaceOf(from), from, before - 30);
        const received = (await tx.get(balances, spaceOf(to), to)) ?? 0;
        await tx.put(balances, spaceOf(to), to, received + 30);
      }),
    );
    const sums = numbers(120).map((index) =>
      storeFor(stores, index).transact(async (tx) => {
        let sum = 0;
        for (const space of ["even", "odd"]) {
          for (const { value } of await tx.list(balances, space)) sum += value;
        }
        return sum;
      }),
    );
    expect(new Set(await Promise.all(sums))).toEqual(new Set([600]));
    await Promise.all(transfers);
    const [least] = await Promise.all(
      stores.map((store) =>
        store.transact(async (tx) => {
          const all = await Promise.all(holders.map((holder) => tx.get(balances, spaceOf(holder), holder)));
          expect(all.reduce<number>((sum, balance) => sum + (balance ?? 0), 0)).toBe(600);
          return Math.min(...all.map((balance) => balance ?? -1));
        }),
      ),
    );
    expect(least).toBeGreaterThanOrEqual(0);
  });

  it("read several documents as of one instant", async () => {
    const stores = await openInstances(await borrow(), 2, collections);
    const write = (index: number) =>
      storeFor(stores, index).transact(async (tx) => {
        await tx.put(balances, "acc", "a", index);
        await tx.put(notes, "acc", "b", { text: `${index}` });
      });
    await write(0);
    const reads = numbers(200).map((index) =>
      storeFor(stores, index).transact(async (tx) => {
        const first = await tx.get(balances, "acc", "a");
        const second = await tx.get(notes, "acc", "b");
        if (`${first}` !== second?.text) throw new Error(`${first} and ${second?.text} were never together`);
      }),
    );
    await Promise.all([...numbers(200).map(write), ...reads]);
  });

  it("see each write of other instances once while following the change feed", async () => {
    const stores = await openInstances(await borrow(), 4, collections);
    const follower = stores[3] as OpenedStore;
    const seen: string[] = [];
    let version: string | undefined;
    const follow = async () => {
      const found = (await follower.transact((tx) => tx.changes(notes, "acc", version))) as Changes;
      version = found.version;
      seen.push(...found.entries.map(({ id }) => id));
    };
    let writing = true;
    const following = (async () => {
      while (writing) await follow();
    })();
    await Promise.all(
      numbers(400).map((index) =>
        storeFor(stores.slice(0, 3), index).transact(async (tx) => {
          await tx.put(notes, "acc", `note${index}`, { text: "first" });
          // Some are slow, so that they commit after transactions that began later.
          if (index % 5 === 0) await tx.list(notes, "acc", { limit: 50 });
          await tx.put(notes, "acc", `note${index}b`, { text: "second" });
        }),
      ),
    );
    writing = false;
    await following;
    await follow();
    expect(seen.sort()).toEqual(
      numbers(400)
        .flatMap((index) => [`note${index}`, `note${index}b`])
        .sort(),
    );
  });
}

function storeFor(stores: readonly OpenedStore[], index: number): OpenedStore {
  return stores[index % stores.length] as OpenedStore;
}

function spaceOf(holder: string): string {
  return Number(holder.at(-1)) % 2 === 0 ? "even" : "odd";
}

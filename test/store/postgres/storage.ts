import { expect, it } from "vitest";
import { COUNTER_BYTES } from "../../../src/store/storage-use.ts";
import { collection, type OpenedStore } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { withClient } from "../../support/services/postgres.ts";
import { type Databases, eventually, numbers, openInstances } from "./databases.ts";

const notes = collection<string>("notes", { changes: true });
const codes = collection<string>("codes");
const PLENTY = { bytes: 1e9, documents: 1e9 };

export function storageSuite({ borrow, create }: Databases): void {
  it("is counted exactly while several instances write, delete and sweep", async () => {
    const url = await borrow();
    const clock = fakeClock();
    const stores = await openInstances(url, 3, [notes, codes], { clock });
    const store = (index: number) => stores[index % 3] as OpenedStore;
    await Promise.all(
      numbers(300).map(async (index) => {
        if (index % 50 === 0) clock.advance(60_000);
        await store(index)
          .transact(async (tx) => {
            await tx.put(
              index % 2 === 0 ? notes : codes,
              `acc/${index % 4}`,
              `n${index % 120}`,
              "x".repeat(index),
            );
            if (index % 3 === 0) await tx.delete(notes, `acc/${index % 4}`, `n${(index * 7) % 120}`);
            if (index % 7 === 0) await tx.put(codes, "other", `n${index}`, "y");
            await tx.assertRoom("acc", PLENTY);
            if (index % 11 === 0) throw new Error("on purpose");
          })
          .catch(() => {});
      }),
    );
    const inTables = () =>
      withClient(url, async (client) => {
        const { rows } = await client.query(`
          SELECT sum(octet_length(id) + octet_length(value))::int AS bytes, count(*)::int AS documents
          FROM (SELECT * FROM toolplane.notes UNION ALL SELECT * FROM toolplane.codes) AS d
          WHERE space LIKE 'acc/%' AND value IS NOT NULL`);
        return rows[0];
      });
    const expected = await inTables();
    expect(expected.documents).toBeGreaterThan(50);
    clock.advance(1000);
    for (const each of stores) expect(await each.storageOf("acc")).toEqual(expected);
    const deltas = () =>
      withClient(
        url,
        async (client) => (await client.query("SELECT FROM toolplane._storage_deltas")).rowCount,
      );
    await eventually(async () => {
      clock.advance(60_000);
      return (await deltas()) === 0;
    });
    clock.advance(1000);
    for (const each of stores) expect(await each.storageOf("acc")).toEqual(expected);
  });

  it("is summed up although all tables are published, for logical replication", async () => {
    const url = await create();
    const clock = fakeClock();
    const [store] = (await openInstances(url, 1, [notes, codes], { clock })) as [OpenedStore];
    await withClient(url, (client) => client.query("CREATE PUBLICATION everything FOR ALL TABLES"));
    const expiresAt = clock.now() + 1000;
    await store.admit([{ key: "k", kind: "fixed", capacity: 5, windowMs: 1000 }]);
    for (const kind of [notes, codes])
      await store.transact(async (tx) => {
        await tx.put(kind, "acc", "kept", "x");
        await tx.put(kind, "acc", "kept", "y");
        await tx.put(kind, "acc", "gone", "x");
        await tx.put(kind, "acc", "brief", "x", { expiresAt });
        await tx.increment("visits", "acc", kind.name, 1);
      });
    for (const kind of [notes, codes]) await store.transact((tx) => tx.delete(kind, "acc", "gone"));
    clock.advance(60_000);
    const deltas = () =>
      withClient(
        url,
        async (client) => (await client.query("SELECT FROM toolplane._storage_deltas")).rowCount,
      );
    await eventually(async () => {
      clock.advance(60_000);
      return (await deltas()) === 0;
    });
    const counters = notes.name.length + codes.name.length + 2 * COUNTER_BYTES;
    clock.advance(1000);
    expect(await store.storageOf("acc")).toEqual({ bytes: 2 * 7 + counters, documents: 2 });
  });

  it("leaves no row of an account whose data is all deleted, until it stores something again", async () => {
    const url = await borrow();
    const clock = fakeClock();
    const stores = await openInstances(url, 2, [notes, codes], { clock });
    const [store] = stores as [OpenedStore];
    const write = () =>
      store.transact(async (tx) => {
        for (const kind of [notes, codes]) await tx.put(kind, "gone/project", "a", "x");
        await tx.increment("visits", "gone", "all", 1);
        await tx.put(codes, "acc", "a", "x");
      });
    /** The accounts with a row, once everything is summed up. */
    const summed = async () => {
      clock.advance(60_000);
      return withClient(url, async (client) => {
        const { rows } = await client.query(`
          SELECT account FROM toolplane._storage UNION ALL SELECT 'delta' FROM toolplane._storage_deltas ORDER BY 1`);
        return rows.map(({ account }) => account).join();
      });
    };
    await write();
    await eventually(async () => (await summed()) === "acc,gone");
    await store.transact(async (tx) => {
      for (const kind of [notes, codes]) await tx.delete(kind, "gone/project", "a");
      await tx.deleteCounts("visits", "gone", { from: "", to: "b", limit: 10 });
    });
    await eventually(async () => (await summed()) === "acc");
    await write();
    await eventually(async () => (await summed()) === "acc,gone");
    const bytes = 2 * 4 + "all".length + COUNTER_BYTES;
    for (const each of stores) expect(await each.storageOf("gone")).toEqual({ bytes, documents: 2 });
  });

  it("can grow, but not in the minute after the database said that its disk is full", async () => {
    const url = await create();
    const clock = fakeClock();
    const [store] = (await openInstances(url, 1, [notes, codes], { clock })) as [OpenedStore];
    // As a table that has no page left, while others still have.
    await withClient(url, (client) =>
      client.query(`
        CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER full_disk BEFORE INSERT ON toolplane.codes FOR EACH ROW EXECUTE FUNCTION full_disk()`),
    );
    const write = (kind: typeof notes | typeof codes) =>
      store.transact((tx) => tx.put(kind, "acc", "a", "x"));
    await write(notes);
    expect(store.headroom.canGrow()).toBe(true);
    await expect(write(codes)).rejects.toThrow("could not extend file");
    await write(notes);
    await store.probe();
    expect(store.headroom.canGrow()).toBe(false);
    clock.advance(59_999);
    expect(store.headroom.canGrow()).toBe(false);
    clock.advance(1);
    expect(store.headroom.canGrow()).toBe(true);
  });

  it("is known to another instance within a second", async () => {
    const clock = fakeClock();
    const [one, other] = (await openInstances(await borrow(), 2, [codes], { clock })) as [
      OpenedStore,
      OpenedStore,
    ];
    const most = { bytes: 1e6, documents: 2 };
    const write = (store: OpenedStore, id: string) =>
      store.transact(async (tx) => {
        await tx.put(codes, "acc", id, "x");
        await tx.assertRoom("acc", most);
      });
    await write(one, "a");
    await write(other, "b");
    clock.advance(1000);
    for (const store of [one, other]) await expect(write(store, "c")).rejects.toMatchObject({ used: 2 });
    await one.transact((tx) => tx.delete(codes, "acc", "a"));
    // The store queries the database before it refuses, so space freed by other instances is available at once.
    await write(other, "c");
  });
}

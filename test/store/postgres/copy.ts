import { expect, it } from "vitest";
import { copyStore } from "../../../src/store/copy.ts";
import { fillStore } from "../../../src/store/fill.ts";
import { makeReadOnly, makeWritable, openStore, readStore } from "../../../src/store/open.ts";
import { SCHEMA } from "../../../src/store/postgres/schema/schema-name.ts";
import { collection, type OpenedStore, type StoreItem } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { withClient } from "../../support/services/postgres.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { type Databases, numbers, openInstances } from "./databases.ts";
import { measured } from "./measured.ts";

const notes = collection<{ text: string }>("notes", { changes: true });
const codes = collection<string>("codes");
const gone = collection<string>("of_another_version");

async function openDirectory(): Promise<OpenedStore> {
  const options = { collections: [notes, codes, gone], clock: systemClock, log: createLog("silent") };
  return openStore(temporaryDirectory(), options);
}

export function copySuite({ borrow, create }: Databases): void {
  it.each(["transaction_timeout", "idle_in_transaction_session_timeout"])(
    "reads a database for longer than its %s",
    async (setting) => {
      const url = await create();
      const [store] = (await openInstances(url, 1, [codes])) as [OpenedStore];
      for (const id of ["one", "two"]) await store.transact((tx) => tx.put(codes, "global", id, "x"));
      await withClient(url, (client) =>
        client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting} = 200`),
      );
      const read: StoreItem[] = [];
      for await (const item of readStore(url, { clock: systemClock, log: createLog("silent") })) {
        read.push(item);
        await systemClock.sleep(400);
      }
      expect(read).toHaveLength(2);
    },
  );

  it("leaves out the tables that somebody else made in the schema", async () => {
    const url = await create();
    const [store] = (await openInstances(url, 1, [codes])) as [OpenedStore];
    await store.transact((tx) => tx.put(codes, "global", "one", "x"));
    const ask = (sql: string) => withClient(url, (client) => client.query(sql));
    await ask(
      `CREATE TABLE ${SCHEMA}.report (id int PRIMARY KEY); CREATE TABLE ${SCHEMA}."Report 2026" (id int)`,
    );
    const read: StoreItem[] = [];
    for await (const item of readStore(url, { clock: systemClock, log: createLog("silent") }))
      read.push(item);
    expect(read).toEqual([{ collection: "codes", space: "global", id: "one", value: "x" }]);
    await makeReadOnly(url, "it is being moved.", systemClock);
    await expect(store.transact((tx) => tx.put(codes, "global", "two", "x"))).rejects.toThrow("being moved");
    await ask(`INSERT INTO ${SCHEMA}.report VALUES (1)`);
    await makeWritable(url);
    await store.transact((tx) => tx.put(codes, "global", "two", "x"));
  });

  it("reads the rows of a table that somebody has partitioned once", async () => {
    const url = await create();
    const [store] = (await openInstances(url, 1, [codes])) as [OpenedStore];
    await store.transact((tx) => tx.put(codes, "global", "one", "x"));
    await store.close();
    const parts = `CREATE TABLE ${SCHEMA}.whole (LIKE ${SCHEMA}.codes INCLUDING DEFAULTS) PARTITION BY HASH (space);
      CREATE TABLE ${SCHEMA}.part PARTITION OF ${SCHEMA}.whole FOR VALUES WITH (MODULUS 1, REMAINDER 0);
      INSERT INTO ${SCHEMA}.whole SELECT * FROM ${SCHEMA}.codes; DROP TABLE ${SCHEMA}.codes;
      ALTER TABLE ${SCHEMA}.whole RENAME TO codes`;
    await withClient(url, (client) => client.query(parts));
    const read: StoreItem[] = [];
    for await (const item of readStore(url, { clock: systemClock, log: createLog("silent") }))
      read.push(item);
    expect(read).toEqual([{ collection: "codes", space: "global", id: "one", value: "x" }]);
  });

  it("reads and fills a database a few megabytes at a time, however large its documents are", async () => {
    const [source, target] = [await borrow(), await borrow()];
    const options = { clock: systemClock, log: createLog("silent"), collections: [codes] };
    const [store] = (await openInstances(source, 1, [codes])) as [OpenedStore];
    for (const n of numbers(60)) {
      // Small ones before and after large ones.
      await store.transact(async (tx) => {
        for (const small of numbers(20)) await tx.put(codes, `acc_${n}`, `a${small}`, "x");
        await tx.put(codes, `acc_${n}`, "large", "y".repeat(512 * 1024));
      });
    }
    const [from, to] = [await measured(source), await measured(target)];
    await fillStore(to.url, readStore(from.url, options), {
      ...{ ...options, force: false, instant: systemClock.now(), name: "the database" },
    });
    const [filled] = (await openInstances(target, 1, [codes])) as [OpenedStore];
    const ids = await filled.transact((tx) => tx.ids(codes, "acc_59"));
    expect(ids).toHaveLength(21);
    for (const { longest } of [from, to]) {
      expect(longest.answer).toBeLessThan(3 * 1024 * 1024);
      expect(longest.question).toBeLessThan(3 * 1024 * 1024);
    }
  });

  it("moves a store from a directory to PostgreSQL and back, unchanged", async () => {
    const from = await openDirectory();
    for (const part of numbers(5)) {
      await from.transact(async (tx) => {
        for (const n of numbers(500)) {
          const id = `note ${(n * 7) % 500} of ${part}`;
          await tx.put(notes, `acc_${n % 3}`, id, { text: `\u0000 \ud800 😀 ${"x".repeat(n)}` });
        }
        await tx.put(codes, "global", `code${part}`, "x", { expiresAt: systemClock.now() + 3_600_000.5 });
        await tx.put(gone, "global", `old${part}`, "kept all the same");
        await tx.increment("usage", "acc_1/web", `day${part}`, part + 1);
      });
    }
    const url = await borrow();
    const [database] = (await openInstances(url, 1, [notes, codes])) as [OpenedStore];
    const there = await copyStore(from, database, { target: "the database" });
    expect(there).toMatchObject({ documents: 2510, counters: 5 });
    // The planner's statistics are those of the copied rows, not of the empty tables.
    const counted = `SELECT relname AS name, reltuples AS rows FROM pg_class
      WHERE oid IN ('${SCHEMA}.notes'::regclass, '${SCHEMA}._counters'::regclass) ORDER BY relname`;
    const { rows } = await withClient(url, (client) => client.query(counted));
    expect(rows).toEqual([
      { name: "_counters", rows: 5 },
      { name: "notes", rows: 2500 },
    ]);

    const to = await openDirectory();
    const back = await copyStore(database, to, { target: "the directory" });
    expect(back).toEqual(there);
    const orderIn = (store: OpenedStore) =>
      store.transact(async (tx) => {
        const found = await tx.changes(notes, "acc_1");
        return found === "reset" ? found : found.entries.map(({ id }) => id);
      });
    const order = await orderIn(from);
    expect(await orderIn(database)).toEqual(order);
    expect(await orderIn(to)).toEqual(order);
    await Promise.all([from.close(), to.close()]);
  });
}

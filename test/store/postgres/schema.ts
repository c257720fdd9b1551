import { expect, it, onTestFinished } from "vitest";
import { makeReadOnly, makeWritable, openStore, readStore, setAside } from "../../../src/store/open.ts";
import { clientConfig, createPool } from "../../../src/store/postgres/connection/connections.ts";
import { MIGRATION_LOCK } from "../../../src/store/postgres/schema/migrate.ts";
import { collection, GLOBAL, type OpenedStore } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { withClient } from "../../support/services/postgres.ts";
import { type Databases, openInstances } from "./databases.ts";

const notes = collection<string>("notes");
const later = collection<string>("later", { changes: true });
const options = { clock: systemClock, log: createLog("silent") };

export function schemaSuite({ create }: Databases): void {
  it("gets tables for collections that are added later, and keeps the existing ones", async () => {
    const url = await create();
    const first = await openStore(url, { ...options, collections: [notes] });
    await first.transact((tx) => tx.put(notes, GLOBAL, "a", "kept"));
    await first.close();
    const [second] = await openInstances(url, 1, [notes, later]);
    await second?.transact((tx) => tx.put(later, GLOBAL, "a", "new"));
    expect(await second?.transact((tx) => tx.get(notes, GLOBAL, "a"))).toBe("kept");
  });

  it("refuses writes also to tables that are added while the store is read only", async () => {
    const url = await create();
    await (await openStore(url, { ...options, collections: [notes] })).close();
    await makeReadOnly(url, "it's being moved.", systemClock);
    const [store] = (await openInstances(url, 1, [notes, later])) as [OpenedStore];
    for (const kind of [notes, later]) {
      await expect(store.transact((tx) => tx.put(kind, GLOBAL, "a", "new"))).rejects.toThrow(
        "it's being moved.",
      );
    }
    await makeWritable(url);
    await store.transact((tx) => tx.put(later, GLOBAL, "a", "new"));
  });

  it("counts the storage of data from a version that did not count", async () => {
    const url = await create();
    const first = await openStore(url, { ...options, collections: [notes] });
    await first.transact(async (tx) => {
      await tx.put(notes, "acc", "a", "ü");
      await tx.put(notes, "acc/web", "bb", "text");
      await tx.put(notes, GLOBAL, "c", "nobody's");
      await tx.put(notes, "acc", "deleted", "text");
      await tx.increment("visits", "acc/web", "today", 3);
    });
    await first.transact((tx) => tx.delete(notes, "acc", "deleted"));
    await first.close();
    await withClient(url, (client) =>
      client.query(`
        DROP TABLE toolplane._storage, toolplane._storage_deltas;
        DROP FUNCTION toolplane._count_inserted, toolplane._count_deleted, toolplane._count_updated,
          toolplane._count_counters, toolplane._count_deleted_counters CASCADE;
        DELETE FROM toolplane._migrations WHERE version >= 2;
        ALTER TABLE toolplane._migrations DROP COLUMN needs`),
    );
    const [second] = (await openInstances(url, 1, [notes])) as [OpenedStore];
    expect(await second.storageOf("acc")).toEqual({ bytes: 1 + 4 + 2 + 6 + 5 + 64, documents: 2 });
    await second.transact((tx) => tx.put(notes, "acc2", "a", ""));
    expect(await second.storageOf("acc2")).toEqual({ bytes: 3, documents: 1 });
  });

  it("is refused if it requires newer programs, but not if it is merely newer", async () => {
    const url = await create();
    await (await openStore(url, { ...options, collections: [] })).close();
    const add = (values: string) =>
      withClient(url, (client) => client.query(`INSERT INTO toolplane._migrations VALUES ${values}`));
    await add("(98, 1)");
    await (await openStore(url, { ...options, collections: [] })).close();
    await add("(99, 98)");
    const refusal =
      /^the database's schema has version 99 and needs programs that know 98, this one knows 6: update it$/;
    await expect(openStore(url, { ...options, collections: [] })).rejects.toThrow(refusal);
    await expect(readStore(url, options).next()).rejects.toThrow(refusal);
  });

  it("is used with a statement_timeout shorter than the client's query timeout", async () => {
    const url = await create();
    const pool = createPool(url, 1, createLog("silent"));
    onTestFinished(() => pool.end());
    const { rows } = await pool.query(
      "SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'",
    );
    expect(rows[0].ms).toBeGreaterThan(0);
    expect(rows[0].ms).toBeLessThan(clientConfig(url).query_timeout as number);
  });

  it("is set up by a role that only owns it, and used by a role that may only write", async () => {
    const url = await create();
    const role = `role_${new URL(url).pathname.slice(1)}`;
    const as = url.replace("//postgres@", `//${role}@`);
    const say = (sql: string) => withClient(url, (client) => client.query(sql));
    await say(`CREATE ROLE ${role} LOGIN`);
    await expect(openStore(as, { ...options, collections: [notes] })).rejects.toThrow(
      /may not do what a start needs \(permission denied for database \w+\): .*CREATE SCHEMA toolplane AUTHORIZATION/,
    );
    await say(`CREATE SCHEMA toolplane AUTHORIZATION ${role}`);
    await (await openStore(as, { ...options, collections: [notes] })).close();
    await expect(setAside(as, systemClock)).rejects.toThrow(
      /may not do what moving a store aside needs \(permission denied for database \w+\): .*GRANT CREATE ON DATABASE/,
    );
    await say(`ALTER SCHEMA toolplane OWNER TO postgres; REASSIGN OWNED BY ${role} TO postgres;
      GRANT USAGE ON SCHEMA toolplane TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA toolplane TO ${role}`);
    const [store] = (await openInstances(as, 1, [notes])) as [OpenedStore];
    await store.transact((tx) => tx.put(notes, "acc", "a", "kept"));
    expect(await store.transact((tx) => tx.get(notes, "acc", "a"))).toBe("kept");
    await expect(openStore(as, { ...options, collections: [notes, later] })).rejects.toThrow("may not do");
    await expect(makeReadOnly(as, "it's being moved.", systemClock)).rejects.toThrow(
      /may not do what stopping writes needs \(permission denied for schema toolplane\): .*owns the schema/,
    );
  });

  it.each([
    "standard_conforming_strings = off",
    "array_nulls = off",
    "extra_float_digits = 0",
    "default_transaction_isolation = serializable",
    "default_transaction_isolation = 'repeatable read'",
  ])("is used alike in a database with %s", async (setting) => {
    const url = await create();
    await withClient(url, (client) =>
      client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`),
    );
    const [store] = (await openInstances(url, 3, [notes, later])) as [OpenedStore];
    for (const id of ["kept", "gone"]) {
      await store.transact((tx) => tx.put(later, GLOBAL, id, "a \\ 'b'", { expiresAt: 2 ** 45 + 0.125 }));
    }
    await store.transact((tx) => tx.delete(later, GLOBAL, "gone"));
    const [reopened] = (await openInstances(url, 1, [notes, later])) as [OpenedStore];
    const feed = await reopened.transact((tx) => tx.changes(later, GLOBAL));
    expect(feed).toMatchObject({ entries: [{ id: "kept" }] });
    const items: unknown[] = [];
    for await (const item of readStore(url, options)) items.push(item);
    expect(items).toEqual([
      { collection: "later", space: GLOBAL, id: "kept", value: "a \\ 'b'", expiresAt: 2 ** 45 + 0.125 },
    ]);
    await makeReadOnly(url, "it's being moved.", systemClock);
    await expect(store.transact((tx) => tx.put(notes, GLOBAL, "a", "new"))).rejects.toThrow("moved");
  });

  it("waits for another start for longer than the database's statement_timeout", async () => {
    const url = await create();
    await withClient(url, async (client) => {
      const database = new URL(url).pathname.slice(1);
      await client.query(`ALTER DATABASE ${database} SET statement_timeout = 200`);
      await client.query("SET statement_timeout = 0");
      await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
      const opening = openInstances(url, 1, [notes]);
      await client.query("SELECT pg_sleep(0.5)");
      await client.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
      expect(await opening).toHaveLength(1);
    });
  });

  it("does not count as ready for writes while the database has no connection left for them", async () => {
    const url = await create();
    const role = `limited_${new URL(url).pathname.slice(1)}`;
    const as = url.replace("postgres@", `${role}@`);
    await withClient(url, (client) =>
      client.query(
        `CREATE ROLE ${role} LOGIN CONNECTION LIMIT 2; CREATE SCHEMA toolplane AUTHORIZATION ${role}`,
      ),
    );
    const [store] = (await openInstances(as, 1, [notes])) as [OpenedStore];
    // One connection listens, the other one reads.
    await store.ping();
    await expect(store.probe()).rejects.toMatchObject({ name: "StoreUnavailable" });
    await withClient(url, (client) => client.query(`ALTER ROLE ${role} CONNECTION LIMIT 10`));
    await store.probe();
  });

  it("logs a warning if synchronous_commit is off", async () => {
    const url = await create();
    const database = new URL(url).pathname.slice(1);
    await withClient(url, (client) =>
      client.query(`ALTER DATABASE ${database} SET synchronous_commit = off`),
    );
    const warnings: unknown[] = [];
    const log = { ...createLog("silent"), warn: (_: object, message: string) => warnings.push(message) };
    await (await openStore(url, { ...options, log: log as never, collections: [] })).close();
    expect(warnings).toEqual([expect.stringContaining("synchronous_commit is off")]);
  });

  it("refuses a database that is not encoded in UTF-8", async () => {
    const url = await create();
    const latin = url.replace(/\w+$/, "latin");
    await withClient(url, (client) =>
      client.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'"),
    );
    await expect(openStore(latin, { ...options, collections: [] })).rejects.toThrow(
      /LATIN1: it must be UTF8/,
    );
  });

  it("refuses a collection with SQL in its name", async () => {
    const odd = { ...collection("x"), name: 'x"; DROP TABLE y; --' };
    await expect(openStore(await create(), { ...options, collections: [odd] })).rejects.toThrow("is no name");
  });
}

import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../../../src/store/postgres/connection/connections.ts";
import { Hosts } from "../../../../src/store/postgres/connection/hosts.ts";
import { migrate } from "../../../../src/store/postgres/schema/migrate.ts";
import { MIGRATIONS, type Migration } from "../../../../src/store/postgres/schema/migrations.ts";
import { collection, type LimitWindow, type OpenedStore } from "../../../../src/store/store.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { createLog } from "../../../../src/system/log.ts";
import { withClient } from "../../../support/services/postgres.ts";
import { createDatabase } from "../../../support/services/shared-postgres.ts";
import { eventually, numbers, openInstances } from "../databases.ts";

const events = collection<{ n: number }>("events");
const notes = collection<{ n: number }>("notes", { changes: true });
const credentials = collection<{ n: number }>("credentials", { cached: true });
const collections = [events, notes, credentials];
const hour: LimitWindow = { key: "hour", capacity: 1e9, kind: "fixed", windowMs: 3_600_000 };

/** Migrations with which a later version extends every table. */
const EXPANSION: readonly Migration[] = [
  ...["events", "notes", "credentials", "_counters", "_feeds", "_windows", "_storage_deltas"].map(
    (table) => ({
      sql: `ALTER TABLE toolplane.${table} ADD COLUMN added_later text NOT NULL DEFAULT 'unknown'`,
    }),
  ),
  {
    sql: `CREATE TABLE toolplane._added_later (id text PRIMARY KEY);
      CREATE INDEX events_added_later ON toolplane.events (added_later)`,
  },
];
const contraction = (needs: number): Migration => ({
  sql: "ALTER TABLE toolplane.events DROP COLUMN added_later",
  needs,
});

/** Migrates as a program that knows these steps does when it starts. */
async function migrateWith(url: string, steps: readonly Migration[]): Promise<void> {
  const client = await connect(new Hosts(url), { query_timeout: 0 });
  try {
    const names = [...collections.map(({ name }) => name), "added_later"];
    await migrate(client, { collections: names, clock: systemClock, log: createLog("silent"), steps });
  } finally {
    await client.end();
  }
}

/** Starts callers that use everything of the store, on all current instances. */
function load(stores: OpenedStore[]) {
  const acknowledged: string[] = [];
  const busy = new Map<OpenedStore, number>();
  const occupy = (store: OpenedStore, by: number) => busy.set(store, (busy.get(store) ?? 0) + by);
  let stopped = false;
  const callers = numbers(12).map(async (caller) => {
    for (let n = 0; !stopped; n++) {
      const id = `${caller}/${n}`;
      const store = stores[(caller + n) % stores.length] as OpenedStore;
      occupy(store, 1);
      await store.admit([hour]);
      await store.transact(async (tx) => {
        await tx.get(credentials, "acc", "key");
        await tx.increment("events", "acc", "all", 1);
        await tx.insert(events, "acc", id, { n });
        await tx.put(notes, "acc", `${caller}`, { n });
        if (n % 7 === 0) await tx.put(credentials, "acc", "key", { n });
      });
      acknowledged.push(id);
      occupy(store, -1);
    }
  });
  const done = Promise.all(callers);
  done.catch(() => {});
  onTestFinished(() => {
    stopped = true;
  });
  return {
    acknowledged,
    async goesOn() {
      const before = acknowledged.length;
      await Promise.race([eventually(async () => acknowledged.length > before + 60), done]);
    },
    /** Resolves when no caller uses an instance that was taken out. */
    async left(store: OpenedStore) {
      await Promise.race([eventually(async () => busy.get(store) === 0), done]);
    },
    /** Stops the callers. Rejects with the first error of any. */
    async stop() {
      stopped = true;
      await done;
    },
  };
}

async function assertNothingLost(store: OpenedStore, acknowledged: readonly string[]): Promise<void> {
  const [ids, total] = await store.transact(async (tx) => [
    await tx.ids(events, "acc"),
    await tx.increment("events", "acc", "all", 0),
  ]);
  expect(ids.sort()).toEqual([...acknowledged].sort());
  expect(total).toBe(acknowledged.length);
}

describe("instances during a rolling upgrade", () => {
  it("keep working and start on a newer schema with more columns, without losing a write", async () => {
    const url = await createDatabase();
    const stores = await openInstances(url, 2, collections);
    const callers = load(stores);
    await callers.goesOn();
    await migrateWith(url, [...MIGRATIONS, ...EXPANSION]);
    await callers.goesOn();
    // One instance is replaced by one of the older version, as in a rollback of the upgrade.
    const [gone] = stores as [OpenedStore];
    const [come] = (await openInstances(url, 1, collections)) as [OpenedStore];
    stores[0] = come;
    await callers.left(gone);
    await gone.close();
    await callers.goesOn();
    await callers.stop();
    for (const store of stores) await assertNothingLost(store, callers.acknowledged);
    await migrateWith(url, [...MIGRATIONS, ...EXPANSION]);
  });

  it("are not blocked by a migration that waits for a long read", async () => {
    const url = await createDatabase();
    const stores = await openInstances(url, 2, collections);
    const callers = load(stores);
    await callers.goesOn();
    let migrated = false;
    const migration = withClient(url, async (reader) => {
      await reader.query("BEGIN");
      await reader.query("SELECT FROM toolplane.events LIMIT 1");
      const ended = migrateWith(url, [...MIGRATIONS, ...EXPANSION]).then(() => {
        migrated = true;
      });
      // The migration has waited for the reader's lock, and has given up to retry.
      await eventually(() => withClient(url, isMigrationWaiting));
      await eventually(async () => !(await withClient(url, isMigrationWaiting)));
      await callers.goesOn();
      expect(migrated).toBe(false);
      await reader.query("COMMIT");
      return { ended };
    });
    await (await migration).ended;
    await callers.goesOn();
    await callers.stop();
    await assertNothingLost(stores[0] as OpenedStore, callers.acknowledged);
  });

  it("terminate if a migration that excludes their version ran while they were not visible", async () => {
    const url = await createDatabase();
    const known = MIGRATIONS.length;
    const ended: string[] = [];
    const [store] = (await openInstances(url, 1, collections, {
      terminate: (error) => ended.push((error as Error).message),
    })) as [OpenedStore];
    await withClient(url, async (other) => {
      // Holding this lock keeps the instance from announcing its presence again.
      const held = other.query("SELECT pg_advisory_lock(x'6f70656e'::int, hashtext($1))", [store.opening]);
      await eventually(() =>
        withClient(url, async (client) => {
          const { rows } = await client.query(
            `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_locks w USING (classid, objid, objsubid)
              WHERE l.locktype = 'advisory' AND l.granted AND NOT w.granted AND l.pid <> w.pid`,
          );
          return rows.length > 0;
        }),
      );
      await held;
      await migrateWith(url, [...MIGRATIONS, ...EXPANSION, contraction(known + 1)]);
      expect(ended).toEqual([]);
    });
    await eventually(async () => ended.length > 0);
    expect(ended[0]).toContain(`needs programs that know ${known + 1}, this one knows ${known}: update it`);
  });

  it("block a migration that excludes their version until they are closed", async () => {
    const url = await createDatabase();
    const known = MIGRATIONS.length;
    const steps = [...MIGRATIONS, ...EXPANSION, contraction(known + 1)];
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    await expect(migrateWith(url, steps)).rejects.toThrow(
      `an instance is at work that knows version ${known} of the database's schema, and this program leaves it at ${known + 1} or later`,
    );
    await store.transact((tx) => tx.put(events, "acc", "a", { n: 1 }));
    await store.close();
    await eventually(() =>
      migrateWith(url, steps).then(
        () => true,
        () => false,
      ),
    );
    await expect(openInstances(url, 1, collections)).rejects.toThrow(
      `needs programs that know ${known + 1}, this one knows ${known}: update it`,
    );
  });
});

async function isMigrationWaiting(client: {
  query(text: string): Promise<{ rows: unknown[] }>;
}): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE '%ADD COLUMN added_later%' AND pid <> pg_backend_pid()`,
  );
  return rows.length > 0;
}

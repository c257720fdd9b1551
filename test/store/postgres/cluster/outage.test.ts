import { afterEach, describe, expect, it } from "vitest";
import { openStore } from "../../../../src/store/open.ts";
import {
  collection,
  type LimitWindow,
  type OpenedStore,
  StoreUnavailable,
} from "../../../../src/store/store.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { createLog } from "../../../../src/system/log.ts";
import { withClient } from "../../../support/services/postgres.ts";
import { databases, eventually, numbers, openInstances, ownPostgres } from "../databases.ts";

const server = ownPostgres();
const { borrow } = databases(() => server().createDatabase());
const events = collection<{ n: number }>("events");
const credentials = collection<{ n: number }>("credentials", { cached: true });
const collections = [events, credentials];
const hour: LimitWindow = { key: "hour", capacity: 1e9, kind: "fixed", windowMs: 3_600_000 };

const stray: unknown[] = [];
const note = (error: unknown) => stray.push(error);
process.on("unhandledRejection", note);
process.on("uncaughtException", note);
afterEach(() => {
  expect(stray.splice(0)).toEqual([]);
});

describe("a database that is killed under load and started again", () => {
  it("loses no acknowledged write, causes StoreUnavailable meanwhile, and is used again afterwards", async () => {
    const stores = await openInstances(await borrow(), 2, collections);
    const acknowledged: string[] = [];
    let sent = 0;
    let refused = 0;
    let stop = false;
    const callers = numbers(20).map(async (caller) => {
      const store = stores[caller % 2] as OpenedStore;
      for (let n = 0; !stop; n++) {
        const id = `${caller}/${n}`;
        sent++;
        try {
          await store.transact(async (tx) => {
            await tx.get(credentials, "acc", "key");
            await tx.increment("events", "acc", "all", 1);
            await tx.insert(events, "acc", id, { n });
          });
          acknowledged.push(id);
          await store.admit([hour]);
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable);
          refused++;
          await new Promise((wake) => setTimeout(wake, 5));
        }
      }
    });
    for (const _ of numbers(3)) {
      const before = acknowledged.length;
      await eventually(async () => acknowledged.length > before + 200);
      await server().kill();
      const refusedBefore = refused;
      await eventually(async () => refused > refusedBefore + 40);
      await server().start();
    }
    const after = acknowledged.length;
    await eventually(async () => acknowledged.length > after + 200);
    stop = true;
    await Promise.all(callers);

    const [store] = stores as [OpenedStore];
    const [ids, total] = await store.transact(async (tx) => [
      new Set((await tx.list(events, "acc")).map(({ id }) => id)),
      await tx.increment("events", "acc", "all", 0),
    ]);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    // Each was counted in the transaction that inserted it.
    expect(total).toBe(ids.size);
    expect(total).toBeLessThanOrEqual(sent);
  });

  it("makes every call fail with StoreUnavailable while it is down", async () => {
    const [store] = (await openInstances(await borrow(), 1, collections)) as [OpenedStore];
    await store.transact((tx) => tx.put(credentials, "acc", "key", { n: 1 }));
    await server().kill();
    const attempts = [
      () => store.transact((tx) => tx.get(events, "acc", "a")),
      () => store.transact((tx) => tx.get(credentials, "acc", "key")),
      () => store.transact((tx) => tx.list(events, "acc")),
      () => store.transact((tx) => tx.put(events, "acc", "a", { n: 1 })),
      () => store.transact((tx) => tx.increment("events", "acc", "all", 1)),
      () => store.admit([hour]),
      () => store.ping(),
      () => store.probe(),
      () => store.sizeBytes(),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(StoreUnavailable);
    await server().start();
    await eventually(() =>
      store.ping().then(
        () => true,
        () => false,
      ),
    );
    expect(await store.transact((tx) => tx.get(credentials, "acc", "key"))).toEqual({ n: 1 });
  });
});

describe("connections that are cut", () => {
  it("are replaced", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    for (const round of numbers(5)) {
      await store.transact((tx) => tx.increment("rounds", "acc", "all", 1));
      await store.admit([hour]);
      await withClient(url, (client) =>
        client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'toolplane'",
        ),
      );
      const total = () => store.transact((tx) => tx.increment("rounds", "acc", "all", 0));
      await eventually(async () => (await total().catch(() => -1)) === round + 1);
      // The limiter has its own connection, and notices its end at the next query.
      const admitted = () =>
        store.admit([hour]).then(
          () => true,
          () => false,
        );
      await eventually(admitted);
    }
  });
});

describe("a database whose operator takes it away", () => {
  /** Runs statements, with NAME for the database's name, from another database of the server. */
  async function administer(url: string, ...statements: string[]): Promise<void> {
    const elsewhere = new URL(url);
    const name = elsewhere.pathname.slice(1);
    elsewhere.pathname = "/postgres";
    await withClient(String(elsewhere), async (client) => {
      for (const statement of statements) await client.query(statement.replaceAll("NAME", name));
    });
  }

  const END_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'NAME'";

  async function expectAwayAndBack(
    store: OpenedStore,
    take: () => Promise<void>,
    giveBack: () => Promise<void>,
  ) {
    const attempts = [
      () => store.transact((tx) => tx.get(events, "acc", "a")),
      () => store.transact((tx) => tx.put(events, "acc", "a", { n: 1 })),
      () => store.admit([hour]),
      () => store.probe(),
    ];
    for (const attempt of attempts) await attempt();
    await take();
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(StoreUnavailable);
    await giveBack();
    const answers = async () => {
      const outcomes = await Promise.allSettled(attempts.map((attempt) => attempt()));
      return outcomes.every(({ status }) => status === "fulfilled");
    };
    await eventually(answers);
  }

  it("is unavailable while it takes no connections, and used again afterwards", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    await expectAwayAndBack(
      store,
      () => administer(url, "ALTER DATABASE NAME ALLOW_CONNECTIONS false", END_CONNECTIONS),
      () => administer(url, "ALTER DATABASE NAME ALLOW_CONNECTIONS true"),
    );
  });

  it("takes no writes while it is read-only by default, and takes them on all connections afterwards", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    const write = (n: number) => store.transact((tx) => tx.put(events, "acc", String(n), { n }));
    await write(0);
    await administer(url, "ALTER DATABASE NAME SET default_transaction_read_only = on", END_CONNECTIONS);
    // Until each connection was opened meanwhile, as those of a server that goes on asking are.
    await eventually(async () => {
      const writes = await Promise.allSettled([...numbers(10).map(write), store.admit([hour])]);
      return writes.every(({ status }) => status === "rejected");
    });
    expect(await store.transact((tx) => tx.get(events, "acc", "0"))).toEqual({ n: 0 });
    await administer(url, "ALTER DATABASE NAME RESET default_transaction_read_only");
    await eventually(async () => {
      const writes = await Promise.allSettled([...numbers(10).map(write), store.admit([hour])]);
      return writes.every(({ status }) => status === "fulfilled");
    });
  });

  it("is unavailable while its schema is away, as during a restore below a running server", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    const rename = (from: string, to: string) => async () => {
      await withClient(url, (client) => client.query(`ALTER SCHEMA ${from} RENAME TO ${to}`));
    };
    await expectAwayAndBack(store, rename("toolplane", "elsewhere"), rename("elsewhere", "toolplane"));
  });

  it("takes no writes while its tables have no keys, as in the middle of a pg_restore below a running server", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    const writes = [() => store.transact((tx) => tx.put(events, "acc", "a", { n: 1 })), () => store.probe()];
    for (const write of writes) await write();
    const keys = ["events (space, id)", "_windows (key)"];
    const say = (sql: (table: string, columns: string) => string) =>
      withClient(url, (client) =>
        client.query(keys.map((key) => sql(...(key.split(/ (.*)/) as [string, string]))).join(";")),
      );
    await say((table) => `ALTER TABLE toolplane.${table} DROP CONSTRAINT ${table}_pkey`);
    for (const write of writes) await expect(write()).rejects.toThrow(StoreUnavailable);
    await say((table, columns) => `ALTER TABLE toolplane.${table} ADD PRIMARY KEY ${columns}`);
    for (const write of writes) await write();
  });

  it("is unavailable to a transaction that it ends, since an operator locks the same tables in another order", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    const write = () =>
      store.transact(async (tx) => {
        await tx.increment("events", "acc", "all", 1);
        await tx.put(events, "acc", "a", { n: 1 });
      });
    await write();
    await withClient(url, async (operator) => {
      // So that PostgreSQL finds the store's connection at fault.
      await operator.query("SET deadlock_timeout = '1min'");
      await operator.query("BEGIN; LOCK TABLE toolplane.events IN SHARE MODE");
      const refused = expect(write()).rejects.toThrow(StoreUnavailable);
      await eventually(async () => {
        const { rows } = await operator.query("SELECT FROM pg_locks WHERE NOT granted");
        return rows.length > 0;
      });
      await operator.query("LOCK TABLE toolplane._counters IN SHARE MODE");
      await refused;
      await operator.query("ROLLBACK");
    });
    await write();
  });

  it("is unavailable while the role may not use its tables", async () => {
    const url = await borrow();
    const role = `role_${Date.now()}`;
    await withClient(url, (client) => client.query(`CREATE ROLE ${role} LOGIN`));
    const [owner] = (await openInstances(url, 1, collections)) as [OpenedStore];
    await owner.close();
    const allow = (word: string) => async () => {
      await withClient(url, (client) => client.query(word));
    };
    const grant = allow(
      `GRANT USAGE ON SCHEMA toolplane TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA toolplane TO ${role}`,
    );
    await grant();
    const asRole = new URL(url);
    asRole.username = role;
    const [store] = (await openInstances(String(asRole), 1, collections)) as [OpenedStore];
    await expectAwayAndBack(store, allow(`REVOKE ALL ON ALL TABLES IN SCHEMA toolplane FROM ${role}`), grant);
  });
});

describe("a database that cannot be reached", () => {
  it("is named in the error of openStore(), without its password", async () => {
    const opening = openStore("postgres://somebody:secret@127.0.0.1:1/nothing", {
      collections,
      clock: systemClock,
      log: createLog("silent"),
    });
    const error = await opening.catch((error) => error);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error.message).toMatch(/the database does not answer: .*ECONNREFUSED 127\.0\.0\.1:1/);
    expect(error.message).not.toContain("secret");
  });
});

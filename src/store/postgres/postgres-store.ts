import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { createRandom } from "../../system/random.ts";
import type { Collection, OpenedStore } from "../store.ts";
import { terminateProcess } from "../terminate-process.ts";
import { createCache } from "./cache.ts";
import { createCommit } from "./commit.ts";
import { connect, createPool, type Statement, send } from "./connection/connections.ts";
import { Hosts } from "./connection/hosts.ts";
import { startListener } from "./connection/listener.ts";
import { Patience } from "./connection/patience.ts";
import { findPresence } from "./connection/presence.ts";
import { dump, load } from "./copy.ts";
import { createGroups, MAX_ALONE } from "./groups.ts";
import { createLimiter } from "./limiter.ts";
import { createLookups } from "./lookups.ts";
import { migrate } from "./schema/migrate.ts";
import { SCHEMA } from "./schema/schema-name.ts";
import { createSnapshots } from "./snapshot.ts";
import { touchWindow } from "./statements/windows.ts";
import { createHeadroom, createStorage } from "./storage.ts";
import { startSweeper } from "./sweeper.ts";
import { createTransactions } from "./transactions.ts";

/** Connections for reading; with those for writing, rate limits and listening an instance has ten. */
const POOL_SIZE = 4;
/** With more, expiry and the ends of limits differ noticeably between instances. */
const TOLERATED_SKEW_MS = 1000;

export interface PostgresStoreOptions {
  collections: readonly Collection<unknown>[];
  clock: Clock;
  log: Log;
  directUrl?: string | undefined;
  fills?: boolean | undefined;
  /** Ends the process where it may not use the database any more. */
  terminate?: (error: unknown) => void;
}

/** Opens the store in a PostgreSQL database, which any number of instances may share. */
export async function openPostgresStore(url: string, options: PostgresStoreOptions): Promise<OpenedStore> {
  const { clock, log } = options;
  const { directUrl = url, fills, terminate = terminateProcess(log) } = options;
  const pooled = directUrl !== url;
  const direct = new Hosts(directUrl);
  const hosts = pooled ? new Hosts(url) : direct;
  const databaseTime = await prepare(direct, options);
  const pool = createPool(hosts, POOL_SIZE, log, { pooled });
  const groupsPool = createPool(hosts, MAX_ALONE + 1, log, { pooled });
  const limitsPool = createPool(hosts, 1, log, { pooled, settings: { synchronous_commit: "off" } });
  const collections = new Map(options.collections.map((collection) => [collection.name, collection]));
  const patience = new Patience(clock);
  const opening = createRandom(clock).id("opening");
  const listener = startListener({
    hosts: direct,
    opening,
    fills,
    clock,
    log,
    onHeard: () => patience.heard(),
    onWritten: (keys) => cache.drop(keys),
    onGap: () => cache.clear(),
    terminate,
  });
  // Concurrent lookups of different requests are batched.
  const lookups = createLookups(ask, setImmediate);
  const cache = createCache(lookups, () => listener.isCurrent());
  const commit = createCommit(collections, cache);
  const headroom = createHeadroom(clock);
  const groups = createGroups({
    ...{ pool: groupsPool, collections, commit, patience },
    onFailed: headroom.failed,
  });
  const storage = createStorage((statement) => send(pool, statement), clock);
  const { transact, close: closeTransactions } = createTransactions({
    lookups,
    openSnapshot: createSnapshots(pool, POOL_SIZE - 1),
    cache,
    storage,
    groups,
    patience,
    clock,
  });
  const limiter = createLimiter({ pool: limitsPool, clock, patience, databaseTime });
  const sweeper = startSweeper({
    pool,
    transact,
    collections: options.collections,
    clock,
    databaseTime,
    log,
  });
  let closing: Promise<void> | undefined;
  await listener.begun;

  return {
    transact,
    admit: limiter.admit,
    opening,
    isOpen: async (other) =>
      other === opening ||
      (await patience.bound(ask<{ present: boolean }>(findPresence(other))))[0]?.present === true,
    dump: () => dump(pool, clock),
    load: (items, compare) => load(items, { pool, commit, compare }),
    ping: async () => {
      await patience.bound(ask({ text: "SELECT 1" }));
    },
    // Over the connections that writes take: a database with too few left may have refused these alone.
    probe: async () => {
      const asked = [send(groupsPool, touchWindow(databaseTime())), send(limitsPool, { text: "SELECT 1" })];
      await patience.bound(Promise.all(asked));
    },
    storageOf: storage.of,
    headroom,
    sizeBytes,
    connections: () =>
      Object.entries({ reading: pool, writing: groupsPool, limits: limitsPool }).map(([name, each]) => ({
        pool: name,
        busy: each.totalCount - each.idleCount,
        idle: each.idleCount,
        // Whoever asked in this same turn of the event loop gets an idle one next, and waits for nobody.
        waiting: Math.max(0, each.waitingCount - each.idleCount),
      })),
    close: () => {
      closing ??= close();
      return closing;
    },
  };

  async function ask<R extends object>(statement: Statement): Promise<R[]> {
    const rows = await send<R>(pool, statement);
    patience.heard();
    return rows;
  }

  async function sizeBytes(): Promise<number> {
    const asked = ask<{ bytes: string }>({
      text: `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind = 'r'`,
      values: [SCHEMA],
    });
    const [row] = await patience.bound(asked);
    return Number(row?.bytes);
  }

  async function close(): Promise<void> {
    await sweeper.stop();
    await Promise.all([closeTransactions(), limiter.close()]);
    await listener.stop();
    patience.stop();
    await Promise.all([pool, groupsPool, limitsPool].map((each) => each.end()));
  }
}

/**
 * Migrates and inspects the database on a connection without a query timeout, since a migration can be long.
 *
 * @returns the time of the database, steady from here on
 */
async function prepare(
  hosts: Hosts,
  { collections, clock, log, fills }: PostgresStoreOptions,
): Promise<() => number> {
  const client = await connect(hosts, { query_timeout: 0 });
  try {
    await migrate(client, { collections: collections.map(({ name }) => name), clock, log, fills });
    const [row] = await send<{ now: number; durability: string }>(client, {
      text: `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
        current_setting('synchronous_commit') AS durability`,
    });
    if (row?.durability === "off")
      log.warn({}, "synchronous_commit is off in this database: what is acknowledged can be lost with it");
    const now = row?.now ?? clock.now();
    const origin = now - clock.monotonic();
    const skewMs = Math.round(clock.now() - now);
    if (Math.abs(skewMs) > TOLERATED_SKEW_MS) {
      log.warn({ skewMs }, "the clock of this machine and the database's differ: set both by NTP");
    }
    return () => origin + clock.monotonic();
  } finally {
    await client.end().catch(() => {});
  }
}

import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import type { StoreItem } from "../store.ts";
import type { Commit } from "./commit.ts";
import { type ConnectionPool, createPool, endlessTransactions, send } from "./connection/connections.ts";
import { Session } from "./connection/session.ts";
import { SCHEMA } from "./schema/schema-name.ts";
import {
  BEGIN_FILLING,
  checkVersion,
  END_FILLING,
  noStoreInDatabase,
  versionOf,
} from "./schema/schema-version.ts";
import { collectionsOf, createTables, tableOf } from "./schema/tables.ts";
import { setCounters } from "./statements/write.ts";
import { type CounterWrite, Writes } from "./writes.ts";

/** Rows to read or write at a time. */
const BATCH = 1000;
/** Bytes of documents to read or write at a time, unless one is larger: what takes too long counts as unanswered. */
const BATCH_BYTES = 1024 * 1024;

/** Yields everything that has not expired, as of one instant. See `OpenedStore.dump`. */
export async function* dump(pool: ConnectionPool, clock: Clock): AsyncGenerator<StoreItem> {
  const session = await Session.open(pool);
  const now = clock.now();
  try {
    session.begin("REPEATABLE READ READ ONLY");
    // The consumer may take any time between two items.
    await session.send({ text: endlessTransactions("transaction") });
    for (const collection of await collectionsOf(session.client)) {
      // In index order, so that the first rows come at once whatever the size of the table.
      for (const order of ["version = 0 ORDER BY space, id", "version > 0 ORDER BY space, version"]) {
        const rows = readAll<{ space: string; id: string; value: string; expires_at: number }>(
          session,
          "space, id, value, expires_at",
          `FROM ${tableOf(collection)} WHERE value IS NOT NULL AND expires_at > ${now} AND ${order}`,
          "octet_length(value)",
        );
        for await (const { space, id, value, expires_at: expiresAt } of rows) {
          const expiry = expiresAt === Number.POSITIVE_INFINITY ? {} : { expiresAt };
          yield { collection, space, id, value: JSON.parse(value), ...expiry };
        }
      }
    }
    const rows = readAll<{ counter: string; space: string; id: string; total: string }>(
      session,
      "counter, space, id, total",
      `FROM ${SCHEMA}._counters ORDER BY counter, space, id`,
    );
    for await (const { counter, space, id, total } of rows)
      yield { counter, space, id, count: Number(total) };
  } finally {
    await session.close();
  }
}

/** @param size what a row adds to the bytes of an answer, where that can be much */
async function* readAll<R extends object>(
  session: Session,
  columns: string,
  rows: string,
  size = "0",
): AsyncGenerator<R> {
  await session.send({ text: `DECLARE sizes CURSOR FOR SELECT ${size} AS bytes ${rows}` });
  await session.send({ text: `DECLARE everything CURSOR FOR SELECT ${columns} ${rows}` });
  for (;;) {
    const sizes = await session.send<{ bytes: number }>({ text: `FETCH ${BATCH} FROM sizes` });
    for (const count of portionsOf(sizes)) {
      yield* await session.send<R>({ text: `FETCH ${count} FROM everything` });
    }
    if (sizes.length < BATCH) break;
  }
  await session.send({ text: "CLOSE sizes" });
  await session.send({ text: "CLOSE everything" });
}

/** Yields of how many rows each answer is to consist. */
function* portionsOf(sizes: readonly { bytes: number }[]): Generator<number> {
  let count = 0;
  let total = 0;
  for (const { bytes } of sizes) {
    if (count > 0 && total + bytes > BATCH_BYTES) {
      yield count;
      count = 0;
      total = 0;
    }
    count++;
    total += bytes;
  }
  if (count > 0) yield count;
}

/**
 * Reads a database while servers write to it, as of one instant after all that was acknowledged before. Changes nothing
 * there.
 *
 * @throws if there is no store, or one of a newer version
 */
export async function* dumpDatabase(url: string, clock: Clock, log: Log): AsyncGenerator<StoreItem> {
  const pool = createPool(url, 1, log);
  try {
    const session = await Session.open(pool);
    const version = await versionOf(session.client).finally(() => session.close());
    if (version === undefined) throw noStoreInDatabase();
    checkVersion(version);
    yield* dump(pool, clock);
  } finally {
    await pool.end();
  }
}

/** Writes dumped items. Nobody else can open the database until all of it is written. */
export async function load(
  items: AsyncIterable<StoreItem>,
  ports: { pool: ConnectionPool; commit: Commit; compare?: (() => Promise<void>) | undefined },
): Promise<void> {
  await send(ports.pool, BEGIN_FILLING);
  const collections = await write(items, ports);
  await ports.compare?.();
  await send(ports.pool, END_FILLING);
  await analyze(ports.pool, collections);
}

/** Updates the planner's statistics, which the database would not do for the next minute or two. */
async function analyze(pool: ConnectionPool, collections: Iterable<string>): Promise<void> {
  for (const table of [`${SCHEMA}._counters`, ...Array.from(collections, tableOf)]) {
    // If it takes too long, the database does it later by itself.
    await send(pool, { text: `ANALYZE ${table}` }).catch(() => {});
  }
}

/**
 * Writes items in transactions large enough that the disk's latency does not dominate. Returns the collections that
 * were written.
 */
async function write(
  items: AsyncIterable<StoreItem>,
  { pool, commit }: { pool: ConnectionPool; commit: Commit },
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  let writes = new Writes();
  let counters: CounterWrite[] = [];
  let bytes = 0;

  async function writeBatch(): Promise<void> {
    const session = await Session.open(pool);
    try {
      // A store of another version may have held collections that this one does not use.
      const names = new Set(Array.from(writes.documents.values(), ({ collection }) => collection));
      if (![...names].every((name) => known.has(name))) await createTables(session.client, [...names]);
      for (const name of names) known.add(name);
      session.begin("READ COMMITTED");
      await session.send(setCounters(counters));
      await commit(session, writes);
    } finally {
      await session.close();
    }
    writes = new Writes();
    counters = [];
    bytes = 0;
  }

  for await (const item of items) {
    if ("counter" in item) {
      counters.push({ counter: item.counter, space: item.space, id: item.id, by: item.count });
    } else {
      const { collection, space, id, value, expiresAt = Number.POSITIVE_INFINITY } = item;
      const text = JSON.stringify(value);
      const length = Buffer.byteLength(text);
      if (bytes > 0 && bytes + length > BATCH_BYTES) await writeBatch();
      writes.write({ collection, space, id, text, expiresAt });
      bytes += length;
    }
    if (writes.documents.size + counters.length === BATCH) await writeBatch();
  }
  await writeBatch();
  return known;
}

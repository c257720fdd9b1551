import { type Clock, repeat } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Log } from "../../system/log.ts";
import { type Collection, type Space, type Store, StoreUnavailable } from "../store.ts";
import type { ConnectionPool, Statement } from "./connection/connections.ts";
import { Session } from "./connection/session.ts";
import { deleteEmptySums, foldStorage } from "./statements/storage.ts";
import { deleteExpired, deleteRemembered, deleteWindows, findExpired } from "./statements/sweep.ts";

const EVERY_MS = MINUTE_MS;
/** Rows deleted at a time, so that others can run in between. */
const BATCH = 1000;
/** Lock key of the first step. The keys of further steps follow it. */
const SWEEP_LOCK = 0x7377_6570;

export interface SweeperOptions {
  pool: ConnectionPool;
  transact: Store["transact"];
  collections: readonly Collection<unknown>[];
  clock: Clock;
  /** The time by which rate-limit windows are forgotten. */
  databaseTime: () => number;
  log: Log;
}

export interface Sweeper {
  /** Resolves when a running sweep has finished. */
  stop(): Promise<void>;
}

export function startSweeper(options: SweeperOptions): Sweeper {
  const { clock, log } = options;
  const stop = repeat(clock, EVERY_MS, () =>
    sweep(options).catch((err) => {
      if (!(err instanceof StoreUnavailable)) log.error({ err }, "what has expired was not deleted");
    }),
  );
  return { stop };
}

/**
 * Deletes what has expired. It already counts as absent, but takes up space. Only one instance at a time works on a
 * step. An instance that finds a step taken moves on to the next, and the other one completes it.
 */
async function sweep({ pool, transact, collections, clock, databaseTime }: SweeperOptions): Promise<void> {
  let steps = 0;
  for (const collection of collections) {
    if (collection.changes) {
      await inBatches((step) => expire(step, collection));
      await inBatches((step) => alone(step, deleteRemembered(collection.name, clock.now(), BATCH)));
    } else {
      await inBatches((step) => alone(step, deleteExpired(collection.name, clock.now(), BATCH)));
    }
  }
  await inBatches((step) => alone(step, deleteWindows(databaseTime(), BATCH)));
  await inBatches((step) => alone(step, foldStorage(BATCH)));
  await inBatches((step) => alone(step, deleteEmptySums(BATCH)));

  async function inBatches(next: (step: number) => Promise<unknown[]>): Promise<void> {
    const step = steps++;
    while ((await next(step)).length === BATCH);
  }

  /** Runs a statement in its own transaction. Returns nothing if another instance is at this step. */
  async function alone<R extends object>(step: number, statement: Statement): Promise<R[]> {
    const session = await Session.open(pool);
    try {
      session.begin("READ COMMITTED");
      if (!(await session.tryLock(SWEEP_LOCK + step))) return [];
      const rows = await session.send<R>(statement);
      await session.commit([]);
      return rows;
    } finally {
      await session.close();
    }
  }

  /** Deletes in transactions, so that followers of the collection see it like any deletion. */
  async function expire(step: number, collection: Collection<unknown>): Promise<unknown[]> {
    const found = findExpired(collection.name, clock.now(), BATCH);
    const rows = await alone<{ space: Space; id: string }>(step, found);
    for (const space of new Set(rows.map((row) => row.space))) {
      await transact(async (tx) => {
        for (const row of rows) {
          if (row.space !== space || (await tx.get(collection, space, row.id)) !== undefined) continue;
          await tx.delete(collection, space, row.id);
        }
      });
    }
    return rows;
  }
}

import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { type Collection, type Space, type Store, StoreUnavailable } from "../store.ts";
import type { ConnectionPool, Statement } from "./connection/connections.ts";
import { Session } from "./connection/session.ts";
import { foldStorage } from "./statements/storage.ts";
import { deleteExpired, deleteRemembered, deleteWindows, findExpired } from "./statements/sweep.ts";

const EVERY_MS = 60_000;
/** So many rows at a time, so that others get between. */
const BATCH = 1000;
const SWEEP_LOCK = 0x7377_6570;

export interface SweeperOptions {
  pool: ConnectionPool;
  transact: Store["transact"];
  collections: readonly Collection<unknown>[];
  clock: Clock;
  /** What rate-limit windows are forgotten by. */
  databaseTime: () => number;
  log: Log;
}

export interface Sweeper {
  /** Resolves when one that is at it is done. */
  stop(): Promise<void>;
}

export function startSweeper(options: SweeperOptions): Sweeper {
  const { clock, log } = options;
  let running: Promise<void> | undefined;
  const stop = clock.every(EVERY_MS, () => {
    running ??= sweep(options)
      .catch((err) => {
        if (!(err instanceof StoreUnavailable)) log.error({ err }, "what has expired was not deleted");
      })
      .finally(() => {
        running = undefined;
      });
  });
  return {
    async stop() {
      stop();
      await running;
    },
  };
}

/** Deletes what has expired, unless another instance is at it: it counts as absent, but takes up space. */
export async function sweep({
  pool,
  transact,
  collections,
  clock,
  databaseTime,
}: SweeperOptions): Promise<void> {
  for (const collection of collections) {
    if (collection.changes) {
      await inBatches(() => expire(collection));
      await inBatches(() => alone(deleteRemembered(collection.name, clock.now(), BATCH)));
    } else {
      await inBatches(() => alone(deleteExpired(collection.name, clock.now(), BATCH)));
    }
  }
  await inBatches(() => alone(deleteWindows(databaseTime(), BATCH)));
  await inBatches(() => alone(foldStorage(BATCH)));

  /** In a transaction of its own; nothing where another instance is at it. */
  async function alone<R extends object>(statement: Statement): Promise<R[]> {
    const session = await Session.open(pool);
    try {
      session.begin("READ COMMITTED");
      if (!(await session.tryLock(SWEEP_LOCK))) return [];
      const rows = await session.send<R>(statement);
      await session.commit([]);
      return rows;
    } finally {
      await session.close();
    }
  }

  /** Whoever follows the collection is to hear of it, as of any deletion. */
  async function expire(collection: Collection<unknown>): Promise<unknown[]> {
    const rows = await alone<{ space: Space; id: string }>(findExpired(collection.name, clock.now(), BATCH));
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

async function inBatches(next: () => Promise<unknown[]>): Promise<void> {
  while ((await next()).length === BATCH);
}

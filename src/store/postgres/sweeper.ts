import type { Pool } from "pg";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { type Collection, type Space, type Store, StoreUnavailable } from "../store.ts";
import { Session } from "./connection/session.ts";
import { foldStorage } from "./statements/storage.ts";
import { deleteExpired, deleteRemembered, deleteWindows, findExpired } from "./statements/sweep.ts";

const EVERY_MS = 60_000;
/** So many rows at a time, so that others get between. */
const BATCH = 1000;
const SWEEP_LOCK = 0x7377_6570;

export interface SweeperOptions {
  pool: Pool;
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
  const session = await Session.open(pool);
  const lock = [SWEEP_LOCK];
  try {
    const [answer] = await session.send<{ taken: boolean }>({
      text: "SELECT pg_try_advisory_lock($1) AS taken",
      values: lock,
    });
    if (!answer?.taken) return;
    for (const collection of collections) {
      if (collection.changes) {
        await inBatches(() => expire(collection));
        await inBatches(() => session.send(deleteRemembered(collection.name, clock.now(), BATCH)));
      } else {
        await inBatches(() => session.send(deleteExpired(collection.name, clock.now(), BATCH)));
      }
    }
    await inBatches(() => session.send(deleteWindows(databaseTime(), BATCH)));
    await inBatches(() => session.send(foldStorage(BATCH)));
    await session.send({ text: "SELECT pg_advisory_unlock($1)", values: lock });
  } finally {
    await session.close();
  }

  /** Whoever follows the collection is to hear of it, as of any deletion. */
  async function expire(collection: Collection<unknown>): Promise<unknown[]> {
    const rows = await session.send<{ space: Space; id: string }>(
      findExpired(collection.name, clock.now(), BATCH),
    );
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

import { accountSpace, type Store, StoreUnavailable } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { GRANULARITIES, type Granularity } from "../contract.ts";
import { accountIds } from "./all-accounts.ts";
import { COUNTERS } from "./breakdown.ts";
import { bucketName } from "./buckets.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Whether it is time is looked at so often, so that a process that lives for less than an hour sweeps, too. */
const LOOK_MS = 60 * 1000;
const EVERY_MS = 60 * LOOK_MS;

/** How long it is told who used what. Totals of a project are kept for good. */
const KEPT_MS: Record<Granularity, number> = { hour: 90 * DAY_MS, day: 731 * DAY_MS, month: 731 * DAY_MS };

/** Counters that are deleted in one transaction, so that others get between. */
const COUNTS = 1000;

export interface Retention {
  /** Deletes what is older, once. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

/** Deletes counters by origin that are older than they are kept, every hour. */
export function createRetention({
  store,
  clock,
  log,
}: {
  store: Pick<Store, "transact">;
  clock: Clock;
  log: Log;
}): Retention {
  let stopped = false;
  let running: Promise<void> | undefined;
  let nextAt = clock.monotonic();

  async function sweep(): Promise<void> {
    for await (const accountId of accountIds(store)) {
      if (stopped) return;
      for (const granularity of GRANULARITIES) await sweepCounters(accountId, granularity);
    }
  }

  async function sweepCounters(accountId: string, granularity: Granularity): Promise<void> {
    const [counter, space] = [COUNTERS[granularity], accountSpace(accountId)];
    const old = { from: "", to: bucketName(granularity, clock.now() - KEPT_MS[granularity]) };
    // Looked for first: a transaction that writes costs a turn, and most of the time there are none.
    const [oldest] = await store.transact((tx) => tx.counts(counter, space, { ...old, limit: 1 }));
    let deleted = oldest ? COUNTS : 0;
    while (deleted === COUNTS && !stopped) {
      deleted = await store.transact((tx) => tx.deleteCounts(counter, space, { ...old, limit: COUNTS }));
      await new Promise(setImmediate);
    }
  }

  const stopTimer = clock.every(LOOK_MS, () => {
    if (clock.monotonic() < nextAt) return;
    nextAt = clock.monotonic() + EVERY_MS;
    running ??= sweep()
      .catch((err) => {
        if (!(err instanceof StoreUnavailable)) log.error({ err }, "old counters of usage were not deleted");
      })
      .finally(() => {
        running = undefined;
      });
  });

  return {
    sweep,
    async stop() {
      stopped = true;
      stopTimer();
      await running;
    },
  };
}

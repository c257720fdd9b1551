import { accountSpace, type Store, StoreUnavailable } from "../../store/store.ts";
import { type Clock, repeat } from "../../system/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../system/durations.ts";
import type { Log } from "../../system/log.ts";
import { othersFirst } from "../../system/others-first.ts";
import { GRANULARITIES, type Granularity } from "../contract.ts";
import { accountIds } from "./all-accounts.ts";
import { bucketName } from "./buckets.ts";
import { ORIGIN_COUNTERS } from "./origins.ts";

/** Interval of the timer. Short, so that a process that lives for less than an hour sweeps, too. */
const LOOK_MS = MINUTE_MS;
const EVERY_MS = 60 * LOOK_MS;

/** How long counts by origin are kept. Totals of projects are kept forever. */
const KEPT_MS: Record<Granularity, number> = { hour: 90 * DAY_MS, day: 731 * DAY_MS, month: 731 * DAY_MS };

/** Counters deleted per transaction, so that other transactions can run in between. */
const COUNTS = 1000;

export interface Retention {
  /** Deletes expired counters once. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

/** Deletes expired counters by origin every hour. */
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
  let nextAt = clock.monotonic();

  async function sweep(): Promise<void> {
    for await (const accountId of accountIds(store)) {
      if (stopped) return;
      for (const granularity of GRANULARITIES) await sweepCounters(accountId, granularity);
    }
  }

  async function sweepCounters(accountId: string, granularity: Granularity): Promise<void> {
    const [counter, space] = [ORIGIN_COUNTERS[granularity], accountSpace(accountId)];
    const old = { from: "", to: bucketName(granularity, clock.now() - KEPT_MS[granularity]) };
    // Checked first, because a writing transaction is more expensive and usually there is nothing to delete.
    const [oldest] = await store.transact((tx) => tx.counts(counter, space, { ...old, limit: 1 }));
    let deleted = oldest ? COUNTS : 0;
    while (deleted === COUNTS && !stopped) {
      deleted = await store.transact((tx) => tx.deleteCounts(counter, space, { ...old, limit: COUNTS }));
      await othersFirst();
    }
  }

  const stopTimer = repeat(clock, LOOK_MS, async () => {
    if (clock.monotonic() < nextAt) return;
    nextAt = clock.monotonic() + EVERY_MS;
    await sweep().catch((err) => {
      if (!(err instanceof StoreUnavailable)) log.error({ err }, "old counters of usage were not deleted");
    });
  });

  return {
    sweep,
    stop() {
      stopped = true;
      return stopTimer();
    },
  };
}

import type { Clock } from "../../system/clock.ts";
import { type Store, StoreUnavailable, type Transaction } from "../store.ts";
import { AGAIN, Attempt } from "./attempt.ts";
import type { Cache } from "./cache.ts";
import type { Patience } from "./connection/patience.ts";
import { Footprint } from "./footprint.ts";
import type { Member } from "./groups.ts";
import type { Lookups } from "./lookups.ts";
import { ReadingTransaction } from "./reading.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Storage } from "./storage.ts";
import { WritingTransaction } from "./writing.ts";

/** Far more runs than work needs whose footprint does not grow without end. */
const MAX_RUNS = 20;
const TICK_MS = 1000;
/** Reached before the time limit of those that share its group. */
const MAX_TICKS = 3;

export interface TransactionsOptions {
  lookups: Lookups;
  openSnapshot: () => Snapshot;
  cache: Cache;
  storage: Storage;
  groups: { join(member: Member): void };
  patience: Patience;
  clock: Clock;
}

export interface Transactions extends Pick<Store, "transact"> {
  /** Accepts no more transactions. Resolves when those accepted have finished. */
  close(): Promise<void>;
}

type Work<T> = (tx: Transaction) => Promise<T>;

/**
 * Runs serialisable transactions, by turns. Work is first run outside any transaction that writes. If it only reads,
 * what it read was consistent, and it is done. If it writes, that run has shown what it touches. It then takes its turn
 * at all of that, in a group with others that do so at the same time, and runs again while nobody else can write there.
 * Only that run counts. Turns are taken in a fixed order, so there are no deadlocks, and no transaction fails because
 * of another.
 *
 * PostgreSQL's own serialisable isolation is not used: it locks whole index pages, so that unrelated transactions kept
 * failing each other when their ids were neighbours, as ids made in the same second are.
 */
export function createTransactions({
  lookups,
  openSnapshot,
  cache,
  storage,
  groups,
  patience,
  clock,
}: TransactionsOptions): Transactions {
  const attempts = new Set<Attempt>();
  let pending = 0;
  let closed = false;
  let onIdle = () => {};

  const transact: Store["transact"] = async (work) => {
    if (closed) throw new StoreUnavailable("the store is closed");
    pending++;
    try {
      const footprint = new Footprint();
      for (let runs = 0; runs < MAX_RUNS; runs++) {
        try {
          return await (footprint.writes ? write(work, footprint) : read(work, footprint));
        } catch (error) {
          if (error !== AGAIN) throw error;
        }
      }
      throw new StoreUnavailable("the transaction met others too often: try again");
    } finally {
      if (--pending === 0) onIdle();
    }
  };

  async function read<T>(work: Work<T>, footprint: Footprint): Promise<T> {
    const attempt = new Attempt(patience);
    const tx = new ReadingTransaction({
      attempt,
      footprint,
      cache,
      lookups,
      openSnapshot,
      now: clock.now(),
    });
    try {
      const value = await run(attempt, work, tx);
      if (footprint.writes) throw AGAIN;
      return value;
    } catch (error) {
      // Its error, too, may result from reads that do not count.
      throw footprint.writes && !attempt.abandoned ? AGAIN : error;
    } finally {
      tx.close();
    }
  }

  function write<T>(work: Work<T>, footprint: Footprint): Promise<T> {
    return new Promise((resolve, reject) => {
      let succeed = () => {};
      groups.join({
        footprint,
        async run(group) {
          const attempt = new Attempt(patience);
          const tx = new WritingTransaction({
            attempt,
            footprint,
            group,
            cache,
            storage,
            now: clock.now(),
          });
          try {
            const value = await run(attempt, work, tx);
            succeed = () => resolve(value);
            return { writes: tx.writes };
          } catch (error) {
            return { error };
          }
        },
        succeed: () => succeed(),
        fail: reject,
      });
    });
  }

  async function run<T>(attempt: Attempt, work: Work<T>, tx: Transaction): Promise<T> {
    attempts.add(attempt);
    try {
      return await attempt.run(work, tx);
    } finally {
      attempts.delete(attempt);
    }
  }

  /**
   * Fails a transaction that awaits something else, such as another transaction, and so delays those that share its
   * group.
   */
  const stopWatch = clock.every(TICK_MS, () => {
    for (const attempt of attempts) {
      if (attempt.idle() <= MAX_TICKS) continue;
      attempt.abandon(new Error("a transaction took too long: its work may await nothing but its tx"));
    }
  });

  return {
    transact,
    async close() {
      closed = true;
      if (pending > 0) {
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
      }
      stopWatch();
    },
  };
}

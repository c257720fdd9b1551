import type { Clock } from "../../system/clock.ts";
import { othersFirst } from "../../system/others-first.ts";
import { ReadOnly, type Store, StoreUnavailable, type Transaction } from "../store.ts";
import type { HeapGuard } from "./heap-guard.ts";
import type { GroupCommit } from "./journal/group-commit.ts";
import type { Tables } from "./tables.ts";
import { TableTransaction } from "./transaction.ts";

export interface TransactionsOptions {
  tables: Tables;
  commit: Pick<GroupCommit, "hold" | "release" | "whenDurable" | "stalled">;
  guard: HeapGuard;
  clock: Clock;
  /** Distinguishes the change feeds of this opening of the store from those of others. */
  opening: string;
  /** Returns why nothing may be written; undefined if writing is allowed. */
  readOnly?: () => string | undefined;
}

export interface Transactions extends Pick<Store, "transact"> {
  /** Voids the current transaction: what it has read or written was rolled back. */
  abort(error: Error): void;
  /** Accepts no more transactions. Resolves when those accepted have finished. */
  close(): Promise<void>;
}

interface Job {
  work: (tx: Transaction) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Limits of consecutive transactions before other work gets a turn, in number and in time. Transactions run in
 * microtasks, ahead of all I/O.
 */
const RUN_LENGTH = 256;
const RUN_MS = 5;
const TICK_MS = 1000;
const MAX_TICKS = 10;

/** Runs transactions one after another, in the order in which they arrive. */
export function createTransactions({
  tables,
  commit,
  guard,
  clock,
  opening,
  readOnly = () => undefined,
}: TransactionsOptions): Transactions {
  let queue: Job[] = [];
  let position = 0;
  let started = 0;
  let runningSince = 0;
  let busy = false;
  let closed = false;
  let current: { tx: TableTransaction; age: number; fail: (error: Error) => void } | undefined;

  const transact: Store["transact"] = (work) =>
    new Promise((resolve, reject) => {
      if (closed) reject(new StoreUnavailable("the store is closed"));
      else queue.push({ work, resolve: resolve as Job["resolve"], reject });
      if (!busy) next();
    });

  function next(): void {
    if (!busy) runningSince = clock.monotonic();
    const job = queue[position++];
    busy = job !== undefined;
    if (!job) {
      queue = [];
      position = 0;
    } else if (++started % RUN_LENGTH === 0 || clock.monotonic() - runningSince > RUN_MS) {
      setImmediate(() => {
        runningSince = clock.monotonic();
        perform(job);
      });
    } else {
      perform(job);
    }
  }

  function perform({ work, resolve, reject }: Job): void {
    const tx = new TableTransaction(tables, clock.now(), opening, guard);
    const kept = tables.unsaved;
    current = { tx, age: 0, fail };
    commit.hold();
    try {
      work(tx).then(finish, fail);
    } catch (error) {
      fail(error);
    }

    function finish(value: unknown): void {
      if (tx.failure || tx.over) {
        fail(tx.failure);
        return;
      }
      const refused = tables.unsaved > kept ? readOnly() : undefined;
      if (refused !== undefined) {
        fail(new ReadOnly(refused));
        return;
      }
      if (commit.stalled && tables.unsaved > kept) {
        fail(new StoreUnavailable("the disk does not answer: nothing was written"));
        return;
      }
      const version = tables.unsaved > kept ? tables.version : tx.seen;
      commit.whenDurable(version, () => resolve(value), reject);
      end();
    }

    function fail(error: unknown): void {
      if (tx.over) return;
      tables.rollBack(kept);
      // The error may depend on what was read, so it waits for durability like a result.
      commit.whenDurable(tx.seen, () => reject(tx.failure ?? error), reject);
      end();
    }

    function end(): void {
      tx.over = true;
      current = undefined;
      commit.release();
      next();
    }
  }

  /**
   * Fails a transaction that awaits something else, such as another transaction, which would block the store forever.
   */
  const stopWatch = clock.every(TICK_MS, () => {
    if (!current || ++current.age <= MAX_TICKS) return;
    current.fail(new Error("a transaction took too long: its work may await nothing but its tx"));
  });

  return {
    transact,
    abort: (error) => {
      if (current) current.tx.failure = error;
    },
    close: async () => {
      closed = true;
      while (busy) await othersFirst();
      stopWatch();
    },
  };
}

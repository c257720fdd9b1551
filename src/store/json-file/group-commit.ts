import type { Low } from "lowdb";
import { StoreUnavailable } from "../store.ts";
import type { Tables } from "./tables.ts";

export interface GroupCommitOptions {
  low: Low<Tables>;
  /** After each group that was saved, before the next. */
  afterSave(): Promise<void>;
  /** All that was not durable has been undone: a transaction that is half way through is void. */
  onUndone(error: StoreUnavailable): void;
  /** The disk can be trusted with nothing more. */
  terminate(error: unknown): void;
}

export interface GroupCommit {
  /** Keeps anything from being saved while a transaction is half way through. */
  hold(): void;
  release(): void;
  /** Calls `durable` once a version is, at once where it is already. */
  whenDurable(version: number, durable: () => void, lost: (error: StoreUnavailable) => void): void;
  /** Resolves at once unless saving failed the last time: then it tries again. */
  probe(): Promise<void>;
  /** Resolves when nobody waits any more. */
  settled(): Promise<void>;
}

/** Somebody whose answer depends on a version. */
interface Waiter {
  version: number;
  durable: () => void;
  lost: (error: StoreUnavailable) => void;
}

/**
 * Saves what transactions have written, all that wait together at the price of one: while one group
 * is on its way to the disk, the next gathers.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { low } = options;
  let phase: "idle" | "scheduled" | "saving" | "dead" = "idle";
  let held = false;
  let waiting: Waiter[] = [];
  /** Why nothing could be saved the last time. */
  let failure: StoreUnavailable | undefined;

  function wake(): void {
    if (phase !== "idle" || held || waiting.length === 0) return;
    phase = "scheduled";
    setImmediate(() => void save());
  }

  async function save(): Promise<void> {
    phase = "idle";
    if (held) return;
    phase = "saving";
    const version = low.data.version;
    try {
      await low.write();
    } catch (error) {
      undo(error);
      return;
    }
    low.data.saved(version);
    failure = undefined;
    const ready = waiting.filter((waiter) => waiter.version <= version);
    waiting = waiting.filter((waiter) => waiter.version > version);
    for (const { durable } of ready) durable();
    await options.afterSave();
    phase = "idle";
    wake();
  }

  function undo(error: unknown): void {
    if (error instanceof StoreUnavailable) {
      phase = "idle";
      failure = error;
    } else {
      phase = "dead";
      failure = new StoreUnavailable("the disk failed", { cause: error });
      options.terminate(error);
    }
    low.data.forsake();
    options.onUndone(failure);
    const lost = waiting;
    waiting = [];
    for (const waiter of lost) waiter.lost(failure);
  }

  const commit: GroupCommit = {
    hold: () => {
      held = true;
    },
    release: () => {
      held = false;
      wake();
    },
    whenDurable: (version, durable, lost) => {
      if (version <= low.data.durable) durable();
      else if (phase === "dead") lost(failure as StoreUnavailable);
      else {
        waiting.push({ version, durable, lost });
        wake();
      }
    },
    probe: () =>
      failure
        ? new Promise((resolve, reject) => commit.whenDurable(++low.data.version, resolve, reject))
        : Promise.resolve(),
    settled: async () => {
      while (waiting.length > 0 || phase === "saving") await new Promise(setImmediate);
    },
  };
  return commit;
}

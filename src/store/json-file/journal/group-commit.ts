import type { Low } from "lowdb";
import type { Clock } from "../../../system/clock.ts";
import { othersFirst } from "../../../system/others-first.ts";
import { StoreUnavailable } from "../../store.ts";
import type { Tables } from "../tables.ts";

export interface GroupCommitOptions {
  /** Its `write` hands one group to the file system. */
  low: Low<Tables>;
  /** Resolves when all groups written so far are on the medium. */
  sync(): Promise<void>;
  clock: Clock;
  /**
   * Called after each saved group. Returns work to do while no group is in flight, if any. The disk can no longer be
   * trusted if that rejects.
   */
  afterSave(): (() => Promise<void>) | undefined;
  /** Called when everything that was not durable has been rolled back. A transaction in progress is void. */
  onUndone(error: StoreUnavailable): void;
  /** Called when the disk can no longer be trusted. */
  terminate(error: unknown): void;
}

export interface GroupCommit {
  /** Prevents saving while a transaction is in progress. */
  hold(): void;
  release(): void;
  /** Calls `durable` once a version is durable, or at once where it already is. */
  whenDurable(version: number, durable: () => void, lost: (error: StoreUnavailable) => void): void;
  /** Whether the disk has not answered for so long that no new write is begun. */
  readonly stalled: boolean;
  /** Does work while no group is in flight, as `afterSave` may ask for. */
  pauseFor(work: () => Promise<void>): void;
  /** Resolves at once, unless the last save failed: then tries to save again. */
  probe(): Promise<void>;
  /** Resolves when nothing is pending. */
  settled(): Promise<void>;
  stop(): void;
}

/** A caller whose answer depends on a version. */
interface Waiter {
  version: number;
  durable: () => void;
  lost: (error: StoreUnavailable) => void;
  /** Number of ticks waited. */
  ticks: number;
}

const TICK_MS = 500;
/** How long a caller waits for the disk before it gets an error. The outcome of its write is then unknown. */
const MAX_WAIT_MS = 5000;
const MAX_TICKS = MAX_WAIT_MS / TICK_MS;

/** Maximum number of groups in flight: while one is synced, the next is written. */
const MAX_IN_FLIGHT = 2;

/**
 * Saves what transactions have written in groups: all that wait share the cost of one sync. Groups become durable in
 * the order in which they were written.
 *
 * A hanging disk may still complete a write, so that write is neither undone nor acknowledged. After five seconds its
 * callers get an error, since the outcome is unknown. Nothing new is written until the disk responds. Whatever it has
 * stored by then is kept.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { low } = options;
  let phase: "idle" | "scheduled" | "writing" | "dead" = "idle";
  let held = false;
  let waiting: Waiter[] = [];
  /** The last version that a caller waits for, and the last version handed to the file system. */
  let wanted = 0;
  let written = 0;
  let inFlight = 0;
  /** Resolves when everything in flight has landed. */
  let landed = Promise.resolve();
  /** Work to do before anything more is written. */
  let pause: (() => Promise<void>) | undefined;
  /** Why the last save failed, if it did. */
  let failure: StoreUnavailable | undefined;
  /** Ticks for which a save has been in progress without any group landing. */
  let savingTicks = 0;
  /** Called when nothing is pending: a hanging disk may take hours, and whoever waits for it must not spin. */
  let onSettled: (() => void)[] = [];

  const isSaving = () => phase === "writing" || inFlight > 0;
  const isSettled = () => waiting.length === 0 && !isSaving();

  function tellSettled(): void {
    if (onSettled.length === 0 || !isSettled()) return;
    const told = onSettled;
    onSettled = [];
    for (const tell of told) tell();
  }

  function wake(): void {
    advance();
    tellSettled();
  }

  function advance(): void {
    if (phase !== "idle") return;
    if (pause) {
      if (inFlight === 0) void doWhilePaused(pause);
      return;
    }
    if (held || wanted <= written || inFlight >= MAX_IN_FLIGHT) return;
    phase = "scheduled";
    setImmediate(() => void save());
  }

  async function doWhilePaused(work: () => Promise<void>): Promise<void> {
    phase = "writing";
    try {
      await work();
    } catch (error) {
      undo(error);
      return;
    }
    pause = undefined;
    phase = "idle";
    wake();
  }

  async function save(): Promise<void> {
    phase = "idle";
    if (held) return;
    if (!isSaving()) savingTicks = 0;
    phase = "writing";
    const version = low.data.version;
    written = version;
    try {
      await low.write();
    } catch (error) {
      await landed;
      if (!isDead()) undo(error);
      return;
    }
    if (isDead()) return;
    inFlight++;
    const synced = options.sync();
    // Avoids an unhandled rejection: `land` awaits it only after earlier groups, and a failure of these undoes it, too.
    synced.catch(() => {});
    landed = landed.then(() => land(version, synced));
    phase = "idle";
    wake();
  }

  async function land(version: number, synced: Promise<void>): Promise<void> {
    try {
      await synced;
    } catch (error) {
      if (!isDead()) undo(error);
    }
    inFlight--;
    if (isDead()) return tellSettled();
    savingTicks = 0;
    low.data.saved(version);
    failure = undefined;
    const ready = waiting.filter((waiter) => waiter.version <= version);
    waiting = waiting.filter((waiter) => waiter.version > version);
    for (const { durable } of ready) durable();
    pause ??= options.afterSave();
    wake();
  }

  function isDead(): boolean {
    return phase === "dead";
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
    low.data.undoAllUnsaved();
    written = low.data.durable;
    options.onUndone(failure);
    const lost = waiting;
    waiting = [];
    for (const waiter of lost) waiter.lost(failure);
    tellSettled();
  }

  const stop = options.clock.every(TICK_MS, () => {
    if (isSaving()) savingTicks++;
    if (waiting.length === 0) return;
    const late = waiting.filter((waiter) => ++waiter.ticks > MAX_TICKS);
    if (late.length === 0) return;
    waiting = waiting.filter(({ ticks }) => ticks <= MAX_TICKS);
    for (const { lost } of late) lost(unknown());
    tellSettled();
  });

  const commit: GroupCommit = {
    stop,
    get stalled() {
      return isSaving() && savingTicks > MAX_TICKS;
    },
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
        waiting.push({ version, durable, lost, ticks: 0 });
        wanted = Math.max(wanted, version);
        wake();
      }
    },
    pauseFor: (work) => {
      pause ??= work;
      wake();
    },
    probe: () =>
      failure
        ? new Promise((resolve, reject) => commit.whenDurable(++low.data.version, resolve, reject))
        : Promise.resolve(),
    settled: async () => {
      while (!isSettled()) {
        await new Promise<void>((resolve) => onSettled.push(resolve));
        // Whoever was told that a write is durable may write again at once.
        await othersFirst();
      }
    },
  };
  return commit;
}

function unknown(): StoreUnavailable {
  return new StoreUnavailable(
    `the disk has not answered for ${MAX_WAIT_MS / 1000} s: whether it took what was written is not known`,
  );
}

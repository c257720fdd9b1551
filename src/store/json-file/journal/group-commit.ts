import type { Low } from "lowdb";
import type { Clock } from "../../../system/clock.ts";
import { StoreUnavailable } from "../../store.ts";
import type { Tables } from "../tables.ts";

export interface GroupCommitOptions {
  /** Its `write` hands a group to the file system. */
  low: Low<Tables>;
  /** Resolves when all groups that were written by now are on the medium. */
  sync(): Promise<void>;
  clock: Clock;
  /** After each group that was saved: what is to be done while none is on its way, if anything. */
  afterSave(): (() => Promise<void>) | undefined;
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
  /** The disk has not answered for so long that nothing more is begun. */
  readonly stalled: boolean;
  /** Resolves at once unless saving failed the last time: then it tries again. */
  probe(): Promise<void>;
  /** Resolves when nobody waits any more. */
  settled(): Promise<void>;
  stop(): void;
}

/** Somebody whose answer depends on a version. */
interface Waiter {
  version: number;
  durable: () => void;
  lost: (error: StoreUnavailable) => void;
  /** Ticks that it has waited. */
  ticks: number;
}

const TICK_MS = 500;
/** Whoever waits longer for the disk is told that nobody knows. */
const MAX_WAIT_MS = 5000;
const MAX_TICKS = MAX_WAIT_MS / TICK_MS;

/** Groups on their way to the disk at once: while one is synced, the next is written. */
const MAX_IN_FLIGHT = 2;

/**
 * Saves what transactions have written, all that wait together at the price of one. They become durable in the
 * order in which they were written.
 *
 * A disk that hangs may still take what it was given, so that is neither undone nor acknowledged: those who
 * wait for it are told after five seconds that nobody knows, and from then on nothing new is written until
 * the disk answers. What it has taken by then stands.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { low } = options;
  let phase: "idle" | "scheduled" | "writing" | "dead" = "idle";
  let held = false;
  let waiting: Waiter[] = [];
  /** The last version that somebody waits for, and the last that was given to the file system. */
  let wanted = 0;
  let written = 0;
  let inFlight = 0;
  /** Resolves when all that is in flight has landed. */
  let landed = Promise.resolve();
  /** To be done before anything more is written. */
  let pause: (() => Promise<void>) | undefined;
  /** Why nothing could be saved the last time. */
  let failure: StoreUnavailable | undefined;
  /** For so many ticks no group has landed that is on its way. */
  let savingTicks = 0;

  const isSaving = () => phase === "writing" || inFlight > 0;

  function wake(): void {
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
    await work();
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
    // Whoever came before fails alone, and with it all that comes behind.
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
    if (isDead()) return;
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
    low.data.forsake();
    written = low.data.durable;
    options.onUndone(failure);
    const lost = waiting;
    waiting = [];
    for (const waiter of lost) waiter.lost(failure);
  }

  const stop = options.clock.every(TICK_MS, () => {
    if (isSaving()) savingTicks++;
    if (waiting.length === 0) return;
    const late = waiting.filter((waiter) => ++waiter.ticks > MAX_TICKS);
    if (late.length === 0) return;
    waiting = waiting.filter(({ ticks }) => ticks <= MAX_TICKS);
    for (const { lost } of late) lost(unknown());
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
    probe: () =>
      failure
        ? new Promise((resolve, reject) => commit.whenDurable(++low.data.version, resolve, reject))
        : Promise.resolve(),
    settled: async () => {
      while (waiting.length > 0 || isSaving()) await new Promise(setImmediate);
    },
  };
  return commit;
}

function unknown(): StoreUnavailable {
  return new StoreUnavailable(
    `the disk has not answered for ${MAX_WAIT_MS / 1000} s: whether it took what was written is not known`,
  );
}

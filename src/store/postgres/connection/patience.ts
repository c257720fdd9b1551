import type { Clock } from "../../../system/clock.ts";
import { StoreUnavailable } from "../../store.ts";

/** A caller that gets no answer for this long fails: the database is unavailable. */
export const MAX_SILENCE_MS = 5000;
const TICK_MS = 500;
/** One less, since the first tick may come at once. */
const MAX_TICKS = MAX_SILENCE_MS / TICK_MS - 1;
/** Ticks to wait while the database is known not to answer. */
const HURRIED_TICKS = 1;

/** A caller that waits for the database. */
export interface Waiter {
  /** Number of ticks left to wait. */
  ticks: number;
  /** Called once, when no ticks are left. */
  giveUp(): void;
}

/**
 * A time limit for all that wait for the database, wherever they queue. Timeouts of statements alone do not bound the
 * wait: a caller that queues for a turn or a connection starts to wait anew after those before it have failed. Once one
 * caller has given up, all others wait only briefly until the database answers again. Otherwise requests, which query
 * several times each, would pile up.
 */
export class Patience {
  readonly #waiters = new Set<Waiter>();
  #isSilent = false;
  readonly stop: () => void;

  constructor(clock: Clock) {
    this.stop = clock.every(TICK_MS, () => {
      const most = this.#isSilent ? HURRIED_TICKS : MAX_TICKS;
      for (const waiter of this.#waiters) {
        waiter.ticks = Math.min(waiter.ticks, most) - 1;
        if (waiter.ticks >= 0) continue;
        this.#waiters.delete(waiter);
        this.#isSilent = true;
        waiter.giveUp();
      }
    });
  }

  begin(waiter: Waiter): void {
    this.renew(waiter);
    this.#waiters.add(waiter);
  }

  /** Restarts the time limit of a waiter that got an answer and waits for another. */
  renew(waiter: Waiter): void {
    waiter.ticks = this.#isSilent ? HURRIED_TICKS : MAX_TICKS;
  }

  end(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /** Must be called when the database has answered anything. */
  heard(): void {
    this.#isSilent = false;
  }

  /** Applies the time limit to a single query that changes nothing. */
  async bound<T>(question: Promise<T>): Promise<T> {
    const waiter: Waiter = { ticks: 0, giveUp: () => {} };
    const tooLong = new Promise<never>((_, reject) => {
      waiter.giveUp = () => reject(silence());
    });
    this.begin(waiter);
    try {
      return await Promise.race([question, tooLong]);
    } finally {
      this.end(waiter);
    }
  }
}

export function silence(): StoreUnavailable {
  return new StoreUnavailable(`the database has not answered for ${MAX_SILENCE_MS / 1000} s`);
}

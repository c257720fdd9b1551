import type { Clock } from "../../system/clock.ts";
import { StoreUnavailable } from "../store.ts";

/** Whoever waits for the database and hears nothing for so long is told that it is away. */
export const MAX_SILENCE_MS = 5000;
const TICK_MS = 500;
const MAX_TICKS = MAX_SILENCE_MS / TICK_MS;

/** Somebody who waits for the database. */
export interface Waiter {
  /** Ticks since it last heard anything; set back by whoever does. */
  silent: number;
  /** Called once, when that has become too many. */
  giveUp(): void;
}

/**
 * Everybody who waits for the database, wherever in the line they stand. The time limits of statements alone
 * are no bound: whoever waits for a turn or a connection begins to wait anew when those before it have failed.
 */
export class Patience {
  readonly #waiters = new Set<Waiter>();
  readonly stop: () => void;

  constructor(clock: Clock) {
    this.stop = clock.every(TICK_MS, () => {
      for (const waiter of this.#waiters) {
        if (++waiter.silent <= MAX_TICKS) continue;
        this.#waiters.delete(waiter);
        waiter.giveUp();
      }
    });
  }

  begin(waiter: Waiter): void {
    waiter.silent = 0;
    this.#waiters.add(waiter);
  }

  end(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /** What a single question comes to, which changes nothing. */
  async bound<T>(question: Promise<T>): Promise<T> {
    const waiter: Waiter = { silent: 0, giveUp: () => {} };
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

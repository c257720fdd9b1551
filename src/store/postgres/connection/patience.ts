import type { Clock } from "../../../system/clock.ts";
import { StoreUnavailable } from "../../store.ts";

/** Whoever waits for the database and hears nothing for so long is told that it is away. */
export const MAX_SILENCE_MS = 5000;
const TICK_MS = 500;
/** The first may come at once. */
const MAX_TICKS = MAX_SILENCE_MS / TICK_MS - 1;
/** While it is known to be silent. */
const HURRIED_TICKS = 1;

/** Somebody who waits for the database. */
export interface Waiter {
  /** How many ticks more it waits. */
  ticks: number;
  /** Called once, when they are over. */
  giveUp(): void;
}

/**
 * Everybody who waits for the database, wherever in the line they stand. The time limits of statements alone
 * are no bound: whoever waits for a turn or a connection begins to wait anew when those before it have failed.
 * Once somebody has given up, all others wait for a moment only, until the database is heard again: a
 * request asks several times, and those that come meanwhile would pile up.
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

  /** It got an answer, and waits for another. */
  renew(waiter: Waiter): void {
    waiter.ticks = this.#isSilent ? HURRIED_TICKS : MAX_TICKS;
  }

  end(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  /** The database has answered something. */
  heard(): void {
    this.#isSilent = false;
  }

  /** What a single question comes to, which changes nothing. */
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

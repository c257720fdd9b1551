import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";

/** Longest time that an author's code may take at the start, as where it opens a connection. */
const STARTING_MS = MINUTE_MS;

/**
 * Rejects with `why` if a promise of an author's code never settles. Node otherwise ends the process without a word,
 * with the exit code 0, when nothing is left to wait for.
 */
export function finished<T>(started: Promise<T>, clock: Pick<Clock, "every">, why: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(why));
    const stop = clock.every(STARTING_MS, giveUp);
    process.once("beforeExit", giveUp);
    started.then(resolve, reject).finally(() => {
      stop();
      process.off("beforeExit", giveUp);
    });
  });
}

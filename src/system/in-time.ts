import { abortWith } from "./abort.ts";
import type { Clock } from "./clock.ts";

/**
 * Settles like `work`, or after `ms` milliseconds like `late`. The work itself goes on.
 *
 * @param late called only once the time is over; returns what to resolve with, or throws
 * @param signal rejects with its reason once it aborts
 */
export async function inTime<T, Late>(
  work: Promise<T>,
  {
    clock,
    ms,
    late,
    signal,
  }: { clock: Pick<Clock, "sleep">; ms: number; late: () => Late; signal?: AbortSignal | undefined },
): Promise<T | Late> {
  const over = new AbortController();
  const leave = signal && abortWith(signal, over);
  const tooLate = clock.sleep(ms, over.signal).then(late);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    leave?.();
    over.abort();
  }
}

/**
 * Returns a function that waits for work for at most `ms` milliseconds, as often as it is called, and resolves with whether
 * the work has settled. Each `inTime()` leaves something behind on its work until that settles: for hours, where a
 * client follows what nobody changes.
 */
export function awaited(
  work: Promise<unknown>,
  clock: Pick<Clock, "sleep">,
): (ms: number) => Promise<boolean> {
  const settled = new AbortController();
  const settle = () => settled.abort();
  work.then(settle, settle);
  return async (ms) => {
    if (!settled.signal.aborted) await clock.sleep(ms, settled.signal).catch(() => {});
    return settled.signal.aborted;
  };
}

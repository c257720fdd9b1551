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
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const tooLate = clock.sleep(ms, stop).then(late);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    over.abort();
  }
}

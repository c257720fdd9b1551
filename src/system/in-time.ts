import type { Clock } from "./clock.ts";

/**
 * Settles like `work`, or rejects after `ms` milliseconds. The work itself goes on.
 *
 * @param late returns the error to reject with
 * @param signal rejects with its reason once it aborts
 */
export async function inTime<T>(
  work: Promise<T>,
  {
    clock,
    ms,
    late,
    signal,
  }: { clock: Pick<Clock, "sleep">; ms: number; late: () => Error; signal?: AbortSignal | undefined },
): Promise<T> {
  const over = new AbortController();
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const tooLate = clock.sleep(ms, stop).then(() => {
    throw late();
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    over.abort();
  }
}

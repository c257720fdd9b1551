import type { Clock } from "../../../system/clock.ts";

/** A clock that is behind until it has been moved up to the present. Sleeps last as long as ever. */
export interface PastClock extends Clock {
  /** Does what is done every so often, then moves on to `at`, milliseconds since the epoch. */
  moveTo(at: number): Promise<void>;
  /** Lets some milliseconds go by that somebody took. */
  pass(ms: number): void;
}

export function pastClock(clock: Clock, start: number): PastClock {
  let now = start;
  const regular = new Set<() => void>();

  return {
    ...clock,
    now: () => now,
    // What is counted by the minute begins anew with each move.
    monotonic: () => clock.monotonic() + now - start,
    // Nothing of what is done every second or hour of sixty days is done but once a move.
    every(_ms, work) {
      regular.add(work);
      return () => regular.delete(work);
    },
    pass(ms) {
      now += ms;
    },
    async moveTo(at) {
      for (const work of regular) work();
      now = Math.max(now, at);
    },
  };
}

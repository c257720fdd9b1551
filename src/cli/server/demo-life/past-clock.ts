import type { Clock } from "../../../system/clock.ts";

/** A clock that starts in the past and is moved forward to the present. Sleeping takes real time. */
export interface PastClock extends Clock {
  /** Runs the periodic work once, then moves to `at`, in milliseconds since the epoch. */
  moveTo(at: number): Promise<void>;
  /** Advances the clock by some milliseconds. */
  pass(ms: number): void;
}

export function pastClock(clock: Clock, start: number): PastClock {
  let now = start;
  const regular = new Set<() => void>();

  return {
    ...clock,
    now: () => now,
    // Includes the moves, so that limits per minute start afresh after each.
    monotonic: () => clock.monotonic() + now - start,
    // Periodic work runs once a move, rather than every second or hour of the sixty days.
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

import { type Clock, systemClock } from "../system/clock.ts";

/**
 * A clock that stands still until it is moved, but sleeps and ticks in real time, for tests with real files or
 * sockets.
 */
export interface AdjustableClock extends Clock {
  advance(ms: number): void;
  /** Sets the wall clock only, as an operator or NTP would. */
  jump(ms: number): void;
}

export function adjustableClock(start = Date.UTC(2026, 0, 15, 12)): AdjustableClock {
  let wall = start;
  let elapsed = 0;
  return {
    ...systemClock,
    now: () => wall,
    monotonic: () => elapsed,
    advance: (ms) => {
      wall += ms;
      elapsed += ms;
    },
    jump: (ms) => {
      wall += ms;
    },
  };
}

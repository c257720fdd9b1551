import type { Clock } from "../system/clock.ts";

/** A clock that stands still until it is advanced, which then runs the sleepers and timers that are due. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
  /** Sets the wall clock only, as an operator or NTP would. */
  jump(ms: number): void;
}

export function fakeClock(start = Date.UTC(2026, 0, 15, 12)): FakeClock {
  let wall = start;
  let elapsed = 0;
  const timers = new Set<{ at: number; every?: number; run: () => void }>();
  return {
    now: () => wall,
    monotonic: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const timer = {
          at: elapsed + ms,
          run() {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        function abort(): void {
          timers.delete(timer);
          reject(signal?.reason);
        }
        timers.add(timer);
        signal?.addEventListener("abort", abort, { once: true });
      }),
    every: (ms, run) => {
      const timer = { at: elapsed + ms, every: ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    jump: (ms) => {
      wall += ms;
    },
    advance: (ms) => {
      wall += ms;
      elapsed += ms;
      for (const timer of [...timers]) {
        if (timer.at > elapsed) continue;
        if (timer.every === undefined) timers.delete(timer);
        else timer.at = elapsed + timer.every;
        timer.run();
      }
    },
  };
}

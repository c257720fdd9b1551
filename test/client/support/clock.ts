import { type FakeClock, fakeClock } from "../../support/clock.ts";

/** Returns a clock whose sleeps end at once, and advance it by the time slept. */
export function hurryingClock(start?: number): FakeClock & { slept: number[] } {
  const clock = fakeClock(start);
  const slept: number[] = [];
  return {
    ...clock,
    slept,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      slept.push(ms);
      clock.advance(ms);
    },
  };
}

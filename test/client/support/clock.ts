import { type FakeClock, fakeClock } from "../../support/clock.ts";

/** A clock on which every sleep is over at once and counts as slept. */
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

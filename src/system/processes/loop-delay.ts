import { monitorEventLoopDelay } from "node:perf_hooks";

/** How long what is due waits for this process to get to it. */
export interface LoopDelay {
  /** Since it was last asked, in milliseconds. */
  take(): { mean: number; worst: number };
  stop(): void;
}

const NANOSECONDS = 1e6;
const RESOLUTION_MS = 20;

export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // The timer that measures is itself late by as much as it waits.
  const beyond = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS) : 0;
  return {
    take() {
      const taken = { mean: beyond(histogram.mean), worst: beyond(histogram.max) };
      histogram.reset();
      return taken;
    },
    stop: () => void histogram.disable(),
  };
}

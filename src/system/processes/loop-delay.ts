import { monitorEventLoopDelay } from "node:perf_hooks";

/** Measures the event loop delay of this process. */
export interface LoopDelay {
  /** Returns the delays since the last call, in milliseconds. */
  take(): { mean: number; worst: number };
  stop(): void;
}

const NANOSECONDS = 1e6;
const RESOLUTION_MS = 20;

export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // The measuring timer itself fires only after its interval.
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

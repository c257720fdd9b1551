/** One answered request, as `tool serve` shows it. */
export interface Served {
  /** Milliseconds since the epoch. */
  at: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  /** The account's name, which its people choose; absent without authentication. */
  account?: string;
  accountId?: string;
  requestId: string;
  /** Set if the server exports traces. */
  traceId?: string;
}

/** Returns figures of a server besides its traffic; called every few seconds. */
export type Measure = () => Promise<{ storeBytes: number; devicesWaiting: number }>;

/** Aggregates requests for a screen that is redrawn at most ten times a second. */
export interface Traffic {
  /** Counts a request, and lists it if `line` is true. */
  observe(served: Served, line?: boolean): void;
  /** Returns the newest requests since the last call, and the number of the others. */
  drain(): { lines: Served[]; skipped: number };
  rate(now: number): { perSecond: number; p99Ms: number };
}

/** The most lines of one frame. More would scroll past unread. */
const LINES = 20;
const WINDOW_MS = 10_000;
/** The number of durations that are kept for the percentile. */
const SAMPLE = 4096;

export function createTraffic(): Traffic {
  let pending: Served[] = [];
  let skipped = 0;
  const seconds = new Map<number, number>();
  const durations = new Float64Array(SAMPLE);
  const times = new Float64Array(SAMPLE);
  let seen = 0;
  return {
    observe(served, line = true) {
      if (line && pending.push(served) > LINES) {
        pending.shift();
        skipped++;
      }
      const second = Math.floor(served.at / 1000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
      durations[seen % SAMPLE] = served.ms;
      times[seen % SAMPLE] = served.at;
      seen++;
    },
    drain() {
      const drained = { lines: pending, skipped };
      pending = [];
      skipped = 0;
      return drained;
    },
    rate(now) {
      const since = now - WINDOW_MS;
      let requests = 0;
      for (const [second, count] of seconds) {
        if ((second + 1) * 1000 <= since) seconds.delete(second);
        else requests += count;
      }
      const recent = durations.filter((_, index) => index < seen && (times[index] as number) > since).sort();
      return {
        perSecond: requests / (WINDOW_MS / 1000),
        p99Ms: recent[Math.min(recent.length - 1, Math.floor(recent.length * 0.99))] ?? 0,
      };
    },
  };
}

import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";

/** How often in a row a projection may crash the process before it is refused. */
const MAX_STRIKES = 2;
const REFUSED_MS = MINUTE_MS;

/**
 * Counts the crashes of the process by projection. Each crash loses all other projections, so repeated ones are
 * refused.
 */
export interface Strikes {
  /** @param process the generation of the process that ended; several reports of the same one count once. */
  add(key: string, process: number): void;
  clear(key: string): void;
  /** Throws `quota_exceeded` while a projection is refused. */
  check(key: string): void;
}

export function createStrikes(clock: Pick<Clock, "monotonic">): Strikes {
  const counts = new Map<string, { count: number; at: number; process: number }>();
  return {
    add(key, process) {
      const before = counts.get(key);
      if (before?.process === process) return;
      counts.set(key, { count: (before?.count ?? 0) + 1, at: clock.monotonic(), process });
    },
    clear: (key) => void counts.delete(key),
    check(key) {
      const struck = counts.get(key);
      if (!struck || struck.count < MAX_STRIKES) return;
      const leftMs = struck.at + REFUSED_MS - clock.monotonic();
      if (leftMs <= 0) {
        counts.delete(key);
        return;
      }
      throw new Problem(
        "quota_exceeded",
        "What this project holds takes more memory to search than the server has for it. Delete some of it, or part it into several projects.",
        { headers: { "Retry-After": String(Math.ceil(leftMs / 1000)) }, members: { bound: "indexMemory" } },
      );
    },
  };
}

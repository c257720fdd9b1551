import { rateLimited } from "../../contract/retry-later.ts";
import type { LimitWindow, Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";

/** Limits actions per hour, counted by subject. */
export interface Hourly {
  /** Counts one action for each subject, unless one of them has used up its limit. `most`: the limits by subject. */
  take(most: Readonly<Record<string, number>>): Promise<{ admitted: boolean; retryAfterSeconds: number }>;
  /** Like `take`. `Problem` `rate_limited` with `detail`, a sentence, if a limit is used up. */
  takeOrRefuse(most: Readonly<Record<string, number>>, detail: string): Promise<void>;
}

/**
 * @param purpose the kind of action, which is counted separately and named in the error: `sign-up`.
 * @param kind `bucket`: a limit that is used up comes back evenly within the hour, instead of at its end.
 */
export function createHourly({
  store,
  clock,
  purpose,
  kind = "fixed",
}: {
  store: Store;
  clock: Pick<Clock, "now">;
  purpose: string;
  kind?: LimitWindow["kind"];
}): Hourly {
  const hourly: Hourly = {
    async take(most) {
      const windows = Object.entries(most).map(
        ([subject, capacity]): LimitWindow => ({
          key: `hourly/${purpose}/${subject}`,
          kind,
          capacity,
          windowMs: HOUR_MS,
        }),
      );
      const { admitted, windows: states } = await store.admit(windows);
      const nextAt = Math.max(...states.map((state) => state.nextAt));
      return { admitted, retryAfterSeconds: Math.max(1, Math.ceil((nextAt - clock.now()) / 1000)) };
    },
    async takeOrRefuse(most, detail) {
      const { admitted, retryAfterSeconds } = await hourly.take(most);
      if (admitted) return;
      const minutes = Math.ceil(retryAfterSeconds / 60);
      throw rateLimited(`${detail} Try again in ${minutes} min.`, purpose, retryAfterSeconds);
    },
  };
  return hourly;
}

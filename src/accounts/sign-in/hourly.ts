import { Problem } from "../../contract/problem.ts";
import type { LimitWindow, Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";

const HOUR_MS = 60 * 60_000;

/** Bounds what is done in an hour, by whatever it is counted by. */
export interface Hourly {
  /** Counts one for each subject, and for none of them where one is used up. */
  take(most: Readonly<Record<string, number>>): Promise<{ admitted: boolean; retryAfterSeconds: number }>;
  /** The same. `Problem` `rate_limited` with `detail`, a sentence, where one is used up. */
  takeOrRefuse(most: Readonly<Record<string, number>>, detail: string): Promise<void>;
}

/** @param purpose keeps what is counted apart from what others count, and names it: `sign-up`. */
export function createHourly({
  store,
  clock,
  purpose,
}: {
  store: Store;
  clock: Pick<Clock, "now">;
  purpose: string;
}): Hourly {
  const hourly: Hourly = {
    async take(most) {
      const windows = Object.entries(most).map(
        ([subject, capacity]): LimitWindow => ({
          key: `hourly/${purpose}/${subject}`,
          kind: "fixed",
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
      throw new Problem("rate_limited", `${detail} Try again in ${Math.ceil(retryAfterSeconds / 60)} min.`, {
        headers: { "Retry-After": String(retryAfterSeconds) },
        members: { window: purpose, retryAfterSeconds },
      });
    },
  };
  return hourly;
}

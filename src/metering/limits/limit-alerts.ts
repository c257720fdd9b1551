import type { Alert, AlertSink } from "../../alerts/alert.ts";
import type { Verdict, WindowState } from "../../store/store.ts";
import { BoundedMap } from "../../system/caching.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";
import { bucketOf } from "../usage/buckets.ts";
import type { UsageType } from "../usage/vocabulary.ts";
import type { NamedWindow, WindowSet } from "./rate-limit.ts";

/** Checks an account's windows after an admission. Called for every request, so it costs only three comparisons. */
export type WatchLimits = (accountId: string, set: WindowSet, verdict: Verdict) => void;

/** Checks an account's limits of uses in a month, after some were counted. */
export type WatchUses = (
  accountId: string,
  uses: readonly { type: UsageType; limit: number; used: number; resetAt: number }[],
) => void;

export interface LimitAlerts {
  watchLimits: WatchLimits;
  watchUses: WatchUses;
}

/** Share left when 80 % are used. */
const LEFT_AT_WARNING = 0.2;
const MAX_REMEMBERED = 10_000;

type WatchedWindow = "minute" | "hour" | "day";

interface Notice {
  isReached: boolean;
  /** The period that it is about. */
  period: number | string;
  /** When the period is over, in milliseconds since the epoch. */
  until: number;
  data: Extract<Alert, { type: "limit.reached" }>["data"];
}

/**
 * Raises an alert at 80 and at 100 % of a window or of a month's uses, each once per period: the window, or an hour for
 * the minute's bucket.
 */
export function createLimitAlerts({
  alerts,
  clock,
}: {
  alerts: Pick<AlertSink, "raise">;
  clock: Pick<Clock, "now">;
}): LimitAlerts {
  /** By account and limit: the last period with an alert, and whether it was for 100 %. */
  const told = new BoundedMap<string, Pick<Notice, "period" | "isReached">>(MAX_REMEMBERED);

  function notice(accountId: string, window: NamedWindow, { remaining, resetAt }: WindowState): void {
    const name = window.name as WatchedWindow;
    const [lengthMs, until] =
      window.kind === "fixed" ? [window.windowMs, resetAt] : [HOUR_MS, endOfHour(clock.now())];
    raise(accountId, name, {
      isReached: remaining < 1,
      period: Math.round(until / lengthMs),
      until,
      data: {
        window: name,
        limit: window.capacity,
        used: Math.min(window.capacity, Math.ceil(window.capacity - remaining)),
        resetsAt: iso(resetAt),
      },
    });
  }

  function raise(accountId: string, name: string, { isReached, period, until, data }: Notice): void {
    const key = `${accountId}/${name}`;
    const before = told.get(key);
    if (before?.period === period && (before.isReached || !isReached)) return;
    told.set(key, { period, isReached });
    const type = isReached ? "limit.reached" : "limit.warning";
    const once = { key: `${type}/${name}/${period}`, until };
    alerts.raise({ type, accountId, subject: `limit/${name}`, once, data });
  }

  return {
    watchLimits(accountId, { windows }, { windows: states }) {
      for (let index = 0; index < windows.length; index++) {
        const window = windows[index] as NamedWindow;
        const state = states[index] as WindowState;
        if (state.remaining > LEFT_AT_WARNING * window.capacity) continue;
        if (isWatched(window)) notice(accountId, window, state);
      }
    },
    watchUses(accountId, uses) {
      for (const { type, limit, used, resetAt } of uses) {
        // A plan may include none.
        if (limit === 0 || limit - used > LEFT_AT_WARNING * limit) continue;
        raise(accountId, `month/${type}`, {
          isReached: used >= limit,
          // With the limit: who gets a larger plan within a month wants to know of that one's end, too.
          period: `${bucketOf("month", resetAt)}/${limit}`,
          until: resetAt,
          data: { window: "month", usageType: type, limit, used, resetsAt: iso(resetAt) },
        });
      }
    },
  };
}

/** Whether a window counts every request of an account. Windows of endpoints have other names. */
function isWatched({ name }: NamedWindow): boolean {
  return name === "minute" || name === "hour" || name === "day";
}

function endOfHour(now: number): number {
  return (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
}

import type { Alert, AlertSink } from "../../alerts/alert.ts";
import { createThrottle } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";
import type { Origin } from "./credentials.ts";
import type { EndedKey } from "./ended-keys.ts";

const ONCE_IN_MS = HOUR_MS;
const MAX_REMEMBERED = 10_000;

/** Returns the alert for a refused key, limited to one an hour for each key. */
export function keyRefused({
  accountId,
  now,
  ...data
}: { accountId: string; now: number } & Extract<Alert, { type: "key.refused" }>["data"]): Alert {
  const subject = `key/${data.keyId}`;
  const once = { key: `${subject}/refused`, until: now + ONCE_IN_MS };
  return { type: "key.refused", accountId, subject, once, data };
}

/** Raises an alert when an ended key is used. Returns at once; no request waits for this. */
export function createEndedUse({
  alerts,
  clock,
}: {
  alerts: Pick<AlertSink, "raise">;
  clock: Pick<Clock, "now">;
}): (ended: EndedKey, origin: Origin) => void {
  const isNews = createThrottle(clock, { everyMs: ONCE_IN_MS, most: MAX_REMEMBERED });
  return (ended, { address }) => {
    if (isNews(ended.keyId)) alerts.raise(keyRefused({ ...ended, address, now: clock.now() }));
  };
}

import type { Alert, AlertSink } from "../../alerts/alert.ts";
import { BoundedMap } from "../../system/caching.ts";
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
  const told = new BoundedMap<string, number>(MAX_REMEMBERED);
  return (ended, { address }) => {
    const now = clock.now();
    if (Math.abs(now - (told.get(ended.keyId) ?? 0)) < ONCE_IN_MS) return;
    told.set(ended.keyId, now);
    alerts.raise(keyRefused({ ...ended, address, now }));
  };
}

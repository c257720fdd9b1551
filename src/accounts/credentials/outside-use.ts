import type { AlertSink } from "../../alerts/alert.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import { accountSpace, type Store } from "../../store/store.ts";
import { createThrottle } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { apiKeys, type Credential } from "../model.ts";
import type { Origin } from "./credentials.ts";
import { keyRefused } from "./ended-use.ts";

const ONCE_IN_MS = MINUTE_MS;
const MAX_REMEMBERED = 10_000;

/**
 * Records in the audit log that a key was used from an address that it is not bound to, at most once a minute for each
 * key, and raises an alert, since the key may have leaked. Returns at once; no request waits for this.
 */
export function createOutsideUse({
  store,
  audit,
  alerts,
  clock,
}: {
  store: Store;
  audit: Pick<AuditTrail, "refused">;
  alerts: Pick<AlertSink, "raise">;
  clock: Pick<Clock, "now">;
}): (credential: Credential, origin: Origin) => void {
  const isNews = createThrottle(clock, { everyMs: ONCE_IN_MS, most: MAX_REMEMBERED });

  async function tell({ id, kind, accountId, userId }: Credential, origin: Origin): Promise<void> {
    const key = await store.transact((tx) => tx.get(apiKeys, accountSpace(accountId), id));
    const { address, requestId } = origin;
    const by = { accountId, userId, credential: { kind, id }, address, requestId };
    const used = { accountId, keyId: id, name: key?.name ?? id, address, now: clock.now() };
    alerts.raise(keyRefused({ ...used, reason: "outside_addresses" }));
    await audit.refused(by, { action: "key.refused", target: { kind: "key", id, name: key?.name } });
  }

  return (credential, origin) => {
    // Requests themselves report an unavailable store.
    if (isNews(credential.id)) tell(credential, origin).catch(() => {});
  };
}

import { INSTANCE, instances } from "../accounts/model.ts";
import type { AlertSink } from "../alerts/alert.ts";
import type { Upstream } from "../metering/upstreams.ts";
import { GLOBAL, type Store } from "../store/store.ts";

/**
 * Returns a function that alerts an account when an upstream stops or resumes answering it, and the operator's
 * account when that affects all accounts together. Each account gets one alert per change, whichever server detects
 * it.
 */
export function circuitAlerts(
  { name, title = name }: Pick<Upstream, "name" | "title">,
  { store, alerts }: { store: Pick<Store, "transact">; alerts: Pick<AlertSink, "raise"> },
): (isUp: boolean, accountId?: string) => void {
  function raise(isUp: boolean, accountId: string): void {
    const of = `upstream/${name}`;
    const change = isUp ? { of, to: "up", from: "down" } : { of, to: "down" };
    const data = { upstream: name, title };
    alerts.raise({ type: isUp ? "upstream.up" : "upstream.down", accountId, subject: of, change, data });
  }

  return (isUp, accountId) => {
    if (accountId !== undefined) return raise(isUp, accountId);
    store
      .transact((tx) => tx.get(instances, GLOBAL, INSTANCE))
      .then((instance) => instance && raise(isUp, instance.accountId))
      // An unavailable store already makes the requests themselves fail.
      .catch(() => {});
  };
}

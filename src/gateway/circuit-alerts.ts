import { INSTANCE, instances } from "../accounts/model.ts";
import type { AlertSink } from "../alerts/alert.ts";
import type { Upstream } from "../metering/upstreams.ts";
import { GLOBAL, type Store } from "../store/store.ts";

/**
 * Tells accounts of an upstream that answers them no longer, and again; the operator's, too, of what it does to all
 * of them together. Each account hears of each change once, whichever server notices it.
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
      // A store that is away shows in the requests themselves.
      .catch(() => {});
  };
}

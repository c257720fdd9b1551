import type { Registry } from "prom-client";
import type { Store } from "../../store/store.ts";
import { gauge } from "./gauge.ts";

/** Adds gauges of the store. In-memory adapters have a memory bound, networked ones have connections. */
export function addStoreMetrics(registry: Registry, store: Store): void {
  gauge(registry, "store_bytes", "Size of the store on its medium.", [], async () => [
    [{}, await store.sizeBytes().catch(() => Number.NaN)],
  ]);
  if (store.headroom.describe()) {
    const of = (member: "usedBytes" | "limitBytes") => () =>
      [[{}, store.headroom.describe()?.[member] ?? 0]] as [Record<string, string>, number][];
    gauge(
      registry,
      "store_memory_bytes",
      "About what the store holds of the process's heap.",
      [],
      of("usedBytes"),
    );
    gauge(
      registry,
      "store_memory_bound_bytes",
      "The most that it may; beyond, nothing grows.",
      [],
      of("limitBytes"),
    );
  }
  const { connections } = store;
  if (!connections) return;
  gauge(registry, "database_connections", "Connections to the database.", ["pool", "state"], () =>
    connections().flatMap(({ pool, busy, idle }) => [
      [{ pool, state: "busy" }, busy],
      [{ pool, state: "idle" }, idle],
    ]),
  );
  gauge(registry, "database_connection_waiters", "Who waits for a connection.", ["pool"], () =>
    connections().map(({ pool, waiting }) => [{ pool }, waiting]),
  );
}

import type { AppPorts } from "./app-ports.ts";
import type { Stores } from "./stores.ts";
import type { Metrics } from "./telemetry/metrics.ts";

/** The dependencies of the services. */
export interface ServicePorts
  extends Omit<AppPorts, "store" | "trustProxy" | "telemetry" | "checkOutputs" | "onAnswered">,
    Stores {
  metrics: Metrics;
}

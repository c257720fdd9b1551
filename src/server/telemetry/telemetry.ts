import type { Kernel } from "../pipeline/kernel.ts";

/** The server's own traces and metrics. Their modules are loaded only if an endpoint is configured. */
export interface Telemetry {
  /** Wraps the kernel with a span and a measurement for each request. */
  traced(kernel: Kernel): Kernel;
  /** Sends what is left, within 1.5 s even if the receiver does not respond. */
  close(): Promise<void>;
}

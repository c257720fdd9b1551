import type { Kernel } from "../pipeline/kernel.ts";

/** The server's own traces and metrics. Where there are none, nothing of this is loaded. */
export interface Telemetry {
  /** The kernel with a span and a measurement for each request. */
  traced(kernel: Kernel, pathOf: (endpoint: string) => string | undefined): Kernel;
  /** Sends what is left. Within 1.5 s, whether anybody takes it or not. */
  close(): Promise<void>;
}

import type { TelemetryQueue, TrackedUse } from "../../../src/client/telemetry/telemetry-queue.ts";

/** Queues a use as `tool track` does when it gets no answer. */
export function leave(queue: TelemetryQueue, delivery: "never" | "unknown", use: TrackedUse) {
  const held = queue.hold(use);
  if (held.recorded) held.leave(delivery);
  return held;
}

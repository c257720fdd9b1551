import type { TelemetryQueue, TrackedUse } from "../../../src/client/telemetry/telemetry-queue.ts";

/** What `tool track` does where no answer comes. */
export function leave(queue: TelemetryQueue, delivery: "never" | "unknown", use: TrackedUse) {
  const held = queue.hold(use);
  if (held.recorded) held.leave(delivery);
  return held;
}

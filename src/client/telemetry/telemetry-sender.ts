import { MINUTE_MS } from "../../system/durations.ts";
import type { EntitlementsClient } from "../entitlements/entitlements.ts";
import { flushQueue, LOOK_MS, type SenderOptions } from "./flush-queue.ts";
import { countWaiting, isEmpty, oldestWaiting } from "./sealing.ts";
import { policyIn, senderLock } from "./telemetry-queue.ts";
import { isBackingOff } from "./trouble.ts";

export interface DetachedSenderOptions extends SenderOptions {
  /** Resolved before sending, to refresh the policy. */
  entitlements?: Pick<EntitlementsClient, "resolve">;
}

/** A sender that stays busy leaves the rest to the next one, so that its lock is never taken for stale. */
const MAX_LIFE_MS = 5 * MINUTE_MS;

/**
 * Runs the detached sender: waits for `flushAt` events or for `flushIntervalSeconds` since the oldest one, then
 * sends. Ends when nothing waits, on an error (leaving a backoff), or at once if another sender is alive.
 */
export async function runSender(options: DetachedSenderOptions): Promise<void> {
  const { directory, clock } = options;
  const end = clock.monotonic() + MAX_LIFE_MS;
  // Events recorded between the last check and the release have no sender yet, so the loop checks again.
  while (!isEmpty(directory) && !isBackingOff(directory, clock) && clock.monotonic() < end) {
    const release = senderLock(directory, clock).acquire();
    if (!release) return;
    try {
      await untilDue(options);
      await refreshPolicy(options);
      if (!policyIn(directory).enabled) return;
      const { error, busy } = await flushQueue(options);
      if (error || busy) return;
    } finally {
      release();
    }
  }
}

async function untilDue({ directory, clock, signal }: SenderOptions): Promise<void> {
  const { flushAt, flushIntervalSeconds } = policyIn(directory);
  const started = clock.monotonic();
  for (;;) {
    const oldest = oldestWaiting(directory);
    if (oldest === undefined || countWaiting(directory) >= flushAt) return;
    if (clock.now() - oldest >= flushIntervalSeconds * 1000) return;
    // Bounds the wait even if the wall clock changes.
    if (clock.monotonic() - started >= flushIntervalSeconds * 1000) return;
    await clock.sleep(LOOK_MS, signal);
  }
}

/**
 * Refreshes the policy, also for users who never resolve entitlements. Errors are ignored, because sending meets them
 * again.
 */
async function refreshPolicy({ entitlements, signal }: DetachedSenderOptions): Promise<void> {
  await entitlements?.resolve({ fresh: false, signal }).catch(() => undefined);
}

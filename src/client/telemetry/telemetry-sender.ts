import type { EntitlementsClient } from "../entitlements/entitlements.ts";
import { flushQueue, LOOK_MS, type SenderOptions } from "./flush-queue.ts";
import { countWaiting, isEmpty, oldestWaiting } from "./sealing.ts";
import { policyIn, senderLock } from "./telemetry-queue.ts";
import { isBackingOff } from "./trouble.ts";

export interface DetachedSenderOptions extends SenderOptions {
  /** Asked for the policy before sending. */
  entitlements?: Pick<EntitlementsClient, "resolve">;
}

/** A sender that is kept busy leaves the rest to the next, so that no lock outlives its welcome. */
const MAX_LIFE_MS = 5 * 60 * 1000;

/**
 * The detached sender: waits until `flushAt` events or `flushIntervalSeconds` since the oldest, sends,
 * and ends when nothing waits, on trouble (leaving a backoff), or at once where another is alive.
 */
export async function runSender(options: DetachedSenderOptions): Promise<void> {
  const { directory, clock } = options;
  const end = clock.monotonic() + MAX_LIFE_MS;
  // What was recorded between the last look and the release has no sender yet, so one more look is due.
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
    // Whatever the wall clock does meanwhile.
    if (clock.monotonic() - started >= flushIntervalSeconds * 1000) return;
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Policies reach those, too, who never look at their entitlements. What fails here fails again in sending. */
async function refreshPolicy({ entitlements, signal }: DetachedSenderOptions): Promise<void> {
  await entitlements?.resolve({ fresh: false, signal }).catch(() => undefined);
}

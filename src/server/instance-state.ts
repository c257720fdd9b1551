import { inWords } from "../accounts/sign-in/sign-up.ts";
import { failingWebhooks } from "../alerts/failing.ts";
import type { Store } from "../store/store.ts";
import { cachedFor } from "../system/caching.ts";
import type { Clock } from "../system/clock.ts";
import { packageVersion } from "../system/package.ts";
import { watchLoopDelay } from "../system/processes/loop-delay.ts";
import type { InstanceState } from "../web/console/instance.tsx";
import type { WaysIn } from "./starting/ways-in.ts";

/** Tells operators how this process does. */
export function watchInstance({
  store,
  clock,
  ways,
  jobs,
}: {
  store: Store;
  clock: Clock;
  ways: WaysIn;
  jobs: () => InstanceState["jobs"];
}) {
  const loopDelay = watchLoopDelay();
  const startedAt = clock.monotonic();
  // The loop delay is measured since the last reading, so all parts of a page must use the same reading.
  const kept = cachedFor<InstanceState>(clock, { forMs: 1_000, most: 1 });
  const read = async (): Promise<InstanceState> => ({
    version: packageVersion,
    up: clock.monotonic() - startedAt,
    storeBytes: await store.sizeBytes(),
    memory: store.headroom.describe(),
    processBytes: process.memoryUsage.rss(),
    jobs: jobs(),
    failingWebhooks: await failingWebhooks(store),
    loopDelay: loopDelay.take(),
    signUp: inWords(ways.signUp),
    mail: ways.mail !== undefined,
    providers: ways.providers.map(({ name }) => name),
    passkeys: ways.passkeys,
  });
  return { state: () => kept("", read), stop: loopDelay.stop };
}

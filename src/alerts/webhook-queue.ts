import { accountSpace, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { SendPublic } from "../system/network/public-request.ts";
import type { Random } from "../system/random.ts";
import type { AlertSink } from "./alert.ts";
import { attempt, type Outcome } from "./attempt.ts";
import { alerts, deliveries, KEPT_MS, pendingDeliveries, webhookSecrets, webhooks } from "./model.ts";
import { type Claim, queueOf, release, waitingFor } from "./queue.ts";
import { isDue, pauseOf } from "./retries.ts";
import { settle } from "./settling.ts";

/** Concurrent deliveries to one webhook, each of a different subject. */
const AT_ONCE = 4;
/** A turn ends after this many deliveries or `TURN_MS`, so that other webhooks get theirs. */
const MAX_OF_TURN = 20;
const TURN_MS = 10_000;

export interface WebhookQueuePorts {
  store: Pick<Store, "transact">;
  clock: Clock;
  random: Pick<Random, "fraction">;
  send: SendPublic;
  sink: Pick<AlertSink, "raiseIn">;
  onAttempt?: ((outcome: Outcome) => void) | undefined;
}

/** Processes one turn of a webhook's queue and releases it. Rejects if `signal` aborts it. */
export async function workOff(
  { store, clock, random, send, sink, onAttempt }: WebhookQueuePorts,
  claimed: Claim,
  signal: AbortSignal,
): Promise<void> {
  const { accountId, queueId: webhookId } = claimed;
  const space = accountSpace(accountId);

  /** Reads the due deliveries that are first of their subject. `open` is absent if the webhook is off or deleted. */
  function turn() {
    return store.transact(async (tx) => {
      const webhook = await tx.get(webhooks, space, webhookId);
      const secret = await tx.get(webhookSecrets, space, webhookId);
      const all = await waitingFor(tx, accountId, webhookId);
      if (!webhook?.enabled || !secret) return { all };
      const { failures, notBefore = 0 } = await queueOf(tx, accountId, webhookId);
      const now = clock.now();
      const heads = isDue(notBefore, now) ? headsOf(all).filter(({ dueAt }) => isDue(dueAt, now)) : [];
      const chosen = heads.slice(0, MAX_OF_TURN);
      const told = await Promise.all(
        chosen.map(async (each) => ({ ...each, told: await tx.get(alerts, space, each.alertId) })),
      );
      return { all, open: { webhook, secret, told, failures } };
    });
  }

  const { all, open } = await turn();
  if (open) await sendAll(open);
  else await giveUp(all.slice(0, 5 * MAX_OF_TURN));
  await store.transact(async (tx) => release(tx, claimed, await nextTurn(tx)));

  async function sendAll({ webhook, secret, told, failures }: NonNullable<typeof open>): Promise<void> {
    const until = clock.monotonic() + TURN_MS;
    const queue = [...told];
    let inSuccession = failures;
    let isToWait = false;
    const isOver = () =>
      isToWait || clock.monotonic() >= until || (inSuccession > failures && pauseOf(inSuccession, 0) > 0);
    async function lane(): Promise<void> {
      for (let next = queue.shift(); next; next = isOver() ? undefined : queue.shift()) {
        const { alertId } = next;
        const { body = "" } = next.told ?? {};
        const result = await attempt({ send, clock, signal }, webhook, secret, { alertId, body });
        onAttempt?.(result.outcome);
        isToWait ||= (result.waitMs ?? 0) > 0;
        inSuccession = result.outcome === "delivered" ? 0 : inSuccession + 1;
        const [now, chance] = [clock.now(), random.fraction()];
        await store.transact((tx) => settle(tx, sink, { claimed, alertId, ...result, now, chance }));
        if (result.outcome === "gone") return;
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  /** Fails deliveries of a webhook that is turned off. They can be sent again once it is on. */
  async function giveUp(some: typeof all): Promise<void> {
    await store.transact(async (tx) => {
      for (const { key } of some) {
        const delivery = await tx.get(deliveries, space, key);
        await tx.delete(pendingDeliveries, space, key);
        if (!delivery) continue;
        const failed = { ...delivery, state: "failed" as const, reason: "disabled" as const };
        await tx.put(deliveries, space, key, failed, { expiresAt: delivery.createdAt + KEPT_MS });
      }
    });
  }

  async function nextTurn(tx: Transaction): Promise<number | undefined> {
    const heads = headsOf(await waitingFor(tx, accountId, webhookId));
    if (heads.length === 0) return undefined;
    const { failures, notBefore = 0 } = await queueOf(tx, accountId, webhookId);
    const now = clock.now();
    const isOn = (await tx.get(webhooks, space, webhookId))?.enabled;
    if (!isOn) return now;
    const times = [notBefore, Math.min(...heads.map(({ dueAt }) => (isDue(dueAt, now) ? now : dueAt)))];
    const pausedUntil = now + pauseOf(failures, random.fraction());
    return Math.max(pausedUntil, ...times.filter((at) => !isDue(at, now)));
  }
}

/** Returns the first delivery of each subject. The others wait for it. */
function headsOf<T extends { subject: string }>(all: readonly T[]): T[] {
  const seen = new Set<string>();
  return all.filter(({ subject }) => !seen.has(subject) && seen.add(subject));
}

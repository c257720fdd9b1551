import { accountSpace, type Transaction } from "../store/store.ts";
import type { AlertSink } from "./alert.ts";
import type { Outcome, Tried } from "./attempt.ts";
import {
  type Delivery,
  deliveries,
  deliveryId,
  KEPT_MS,
  MAX_SHOWN_ATTEMPTS,
  pendingDeliveries,
  type Queue,
  queues,
  type Waiting,
  type Webhook,
  webhooks,
} from "./model.ts";
import { type Claim, held } from "./queue.ts";
import { failingOn, isToTurnOff, MAX_RETRY_MS, nextAttempt } from "./retries.ts";
import { withoutQuery } from "./webhooks.ts";

export interface Settled extends Tried {
  claimed: Claim;
  alertId: string;
  /** When the attempt ended. */
  now: number;
  chance: number;
}

/** Stores the outcome of an attempt, unless another server holds the queue by now. */
export async function settle(
  tx: Transaction,
  sink: Pick<AlertSink, "raiseIn">,
  { claimed, alertId, outcome, attempt, waitMs = 0, now, chance }: Settled,
): Promise<void> {
  const { accountId, queueId: webhookId } = claimed;
  const space = accountSpace(accountId);
  const key = deliveryId(webhookId, alertId);
  const queue = await held(tx, claimed);
  const waits = await tx.get(pendingDeliveries, space, key);
  const delivery = await tx.get(deliveries, space, key);
  if (!queue || !waits || !delivery) return;
  const notBefore = now + Math.min(waitMs, MAX_RETRY_MS);
  const next = outcome === "failed" ? retryOf(waits, { now, notBefore }, chance) : undefined;
  const lifetime = { expiresAt: delivery.createdAt + KEPT_MS };
  const settled: Delivery = {
    ...delivery,
    state: outcome === "delivered" ? "delivered" : next ? "waiting" : "failed",
    attempts: delivery.attempts + 1,
    last: [...delivery.last, attempt].slice(-MAX_SHOWN_ATTEMPTS),
  };
  await tx.put(deliveries, space, key, settled, lifetime);
  if (next) await tx.put(pendingDeliveries, space, key, next, lifetime);
  else await tx.delete(pendingDeliveries, space, key);
  const after = healthOf(queue, outcome, { now, notBefore });
  await tx.put(queues, space, webhookId, after);
  if (outcome === "gone") await turnOff(tx, sink, claimed, "gone", now);
  else if (after.failing && isToTurnOff(after.failing)) await turnOff(tx, sink, claimed, "failing", now);
}

/** `notBefore`: the end of the pause that the receiver asked for, bounded by `MAX_RETRY_MS`. */
interface Times {
  now: number;
  notBefore: number;
}

function retryOf(before: Waiting, { now, notBefore }: Times, chance: number): Waiting | undefined {
  const failing = failingOn(before.failing, now, "ofDelivery");
  const tried = { ...before, attempts: before.attempts + 1, failing };
  const dueAt = nextAttempt(tried, chance);
  return dueAt === undefined ? undefined : { ...tried, dueAt: Math.max(dueAt, notBefore) };
}

function healthOf(before: Queue, outcome: Outcome, { now, notBefore }: Times): Queue {
  const { failingSince, failing: failed, notBefore: _, ...queue } = before;
  if (outcome === "delivered") return { ...queue, failures: 0, lastDeliveredAt: now };
  const failing = {
    ...queue,
    failures: queue.failures + 1,
    failingSince: Math.min(failingSince ?? now, now),
    failing: failingOn(failed, now, "ofWebhook"),
  };
  return notBefore > now ? { ...failing, notBefore } : failing;
}

/** Turns a webhook off. Its pending deliveries are given up in the queue's next turn. */
async function turnOff(
  tx: Transaction,
  { raiseIn }: Pick<AlertSink, "raiseIn">,
  { accountId, queueId: webhookId }: Claim,
  reason: "failing" | "gone",
  at: number,
): Promise<void> {
  const space = accountSpace(accountId);
  const webhook = await tx.get(webhooks, space, webhookId);
  if (!webhook?.enabled) return;
  const off: Webhook = { ...webhook, enabled: false, disabled: { at, reason } };
  await tx.put(webhooks, space, webhookId, off);
  const data = { webhookId, url: withoutQuery(webhook.url), reason };
  await raiseIn(tx, { type: "webhook.disabled", accountId, subject: `webhook/${webhookId}`, data });
}

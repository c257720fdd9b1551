import { accountSpace, type Transaction } from "../store/store.ts";
import type { AlertSink } from "./alert.ts";
import type { Outcome } from "./attempt.ts";
import {
  type Attempt,
  type Delivery,
  deliveries,
  deliveryId,
  KEPT_MS,
  MAX_SHOWN_ATTEMPTS,
  type Queue,
  queues,
  type Waiting,
  type Webhook,
  waiting,
  webhooks,
} from "./model.ts";
import { type Claim, held } from "./queue.ts";
import { nextAttempt } from "./retries.ts";
import { withoutQuery } from "./webhooks.ts";

/** A webhook that fails for so long is turned off. */
const PATIENCE_MS = 5 * 24 * 60 * 60_000;

export interface Settled {
  claimed: Claim;
  alertId: string;
  outcome: Outcome;
  attempt: Attempt;
  /** When the attempt was over. */
  now: number;
  chance: number;
}

/** Writes down what an attempt came to, unless the queue is somebody else's by now. */
export async function settle(
  tx: Transaction,
  sink: Pick<AlertSink, "raiseIn">,
  { claimed, alertId, outcome, attempt, now, chance }: Settled,
): Promise<void> {
  const { accountId, queueId: webhookId } = claimed;
  const space = accountSpace(accountId);
  const key = deliveryId(webhookId, alertId);
  const queue = await held(tx, claimed);
  const waits = await tx.get(waiting, space, key);
  const delivery = await tx.get(deliveries, space, key);
  if (!queue || !waits || !delivery) return;
  const next = outcome === "failed" ? retryOf(waits, attempt, now, chance) : undefined;
  const lifetime = { expiresAt: delivery.createdAt + KEPT_MS };
  const settled: Delivery = {
    ...delivery,
    state: outcome === "delivered" ? "delivered" : next ? "waiting" : "failed",
    attempts: delivery.attempts + 1,
    last: [...delivery.last, attempt].slice(-MAX_SHOWN_ATTEMPTS),
  };
  await tx.put(deliveries, space, key, settled, lifetime);
  if (next) await tx.put(waiting, space, key, next, lifetime);
  else await tx.delete(waiting, space, key);
  const after = healthOf(queue, outcome, now);
  await tx.put(queues, space, webhookId, after);
  if (outcome === "gone") await turnOff(tx, sink, claimed, "gone", now);
  else if (now - (after.failingSince ?? now) >= PATIENCE_MS) await turnOff(tx, sink, claimed, "failing", now);
}

function retryOf(before: Waiting, { at }: Attempt, now: number, chance: number): Waiting | undefined {
  const tried = { ...before, attempts: before.attempts + 1, firstAt: before.firstAt ?? at };
  const dueAt = nextAttempt(tried, now, chance);
  return dueAt === undefined ? undefined : { ...tried, dueAt };
}

function healthOf({ failingSince, ...queue }: Queue, outcome: Outcome, now: number): Queue {
  if (outcome === "delivered") return { ...queue, failures: 0, lastDeliveredAt: now };
  return { ...queue, failures: queue.failures + 1, failingSince: failingSince ?? now };
}

/** What still waits is given up with the next turn of the queue. */
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

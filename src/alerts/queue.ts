import { accountSpace, type Transaction } from "../store/store.ts";
import { alertIdOf, DUE, dueId, dueQueues, pendingDeliveries, type Queue, queues } from "./model.ts";

const EMPTY: Queue = { failures: 0, dropped: 0 };

/** A server's claim on a queue, until the lease ends or the queue is released. */
export interface Claim {
  accountId: string;
  queueId: string;
  lease: string;
}

export function queueOf(tx: Transaction, accountId: string, queueId: string): Promise<Queue> {
  return tx.get(queues, accountSpace(accountId), queueId).then((found) => found ?? EMPTY);
}

/** Schedules a queue for `at`, unless it is due sooner or leased. The lease's holder reschedules it on release. */
export async function makeDue(
  tx: Transaction,
  accountId: string,
  queueId: string,
  at: number,
): Promise<void> {
  const queue = await queueOf(tx, accountId, queueId);
  if (queue.lease === undefined && (queue.dueAt ?? Number.POSITIVE_INFINITY) > at) {
    await setDue(tx, accountId, queueId, queue, at);
  }
}

/** Ends a pause that the receiver has asked for, so that an explicit request is tried at once. */
export async function endPause(tx: Transaction, accountId: string, queueId: string): Promise<void> {
  const { notBefore, ...queue } = await queueOf(tx, accountId, queueId);
  if (notBefore !== undefined) await tx.put(queues, accountSpace(accountId), queueId, queue);
}

/** Claims a queue. Returns undefined if another server has claimed it, or if it is not due. */
export async function claim(
  tx: Transaction,
  { accountId, queueId, lease }: Claim,
  seen: number,
  until: number,
): Promise<Queue | undefined> {
  const queue = await queueOf(tx, accountId, queueId);
  if (queue.dueAt !== seen) {
    // A stale entry, left behind by the deletion of an account or a webhook.
    await tx.delete(dueQueues, DUE, dueId(seen, accountId, queueId));
    return undefined;
  }
  await setDue(tx, accountId, queueId, { ...queue, lease }, until);
  return queue;
}

/** Returns the queue if the claim still holds its lease. */
export async function held(tx: Transaction, { accountId, queueId, lease }: Claim) {
  const queue = await queueOf(tx, accountId, queueId);
  return queue.lease === lease ? queue : undefined;
}

/** Ends a lease and schedules the queue's next turn, if any. */
export async function release(tx: Transaction, claimed: Claim, nextAt: number | undefined): Promise<void> {
  const queue = await held(tx, claimed);
  if (!queue) return;
  const { lease: _, ...rest } = queue;
  await setDue(tx, claimed.accountId, claimed.queueId, rest, nextAt);
}

/** Stores a queue and updates its entry in `due`. */
async function setDue(
  tx: Transaction,
  accountId: string,
  queueId: string,
  { dueAt: before, ...queue }: Queue,
  dueAt: number | undefined,
): Promise<void> {
  if (before !== undefined && before !== dueAt)
    await tx.delete(dueQueues, DUE, dueId(before, accountId, queueId));
  if (dueAt !== undefined && before !== dueAt) {
    await tx.put(dueQueues, DUE, dueId(dueAt, accountId, queueId), { accountId, queueId });
  }
  const after = dueAt === undefined ? queue : { ...queue, dueAt };
  await tx.put(queues, accountSpace(accountId), queueId, after);
}

/** Deletes the queue of a deleted webhook. */
export async function deleteQueue(tx: Transaction, accountId: string, queueId: string): Promise<void> {
  const { dueAt } = await queueOf(tx, accountId, queueId);
  if (dueAt !== undefined) await tx.delete(dueQueues, DUE, dueId(dueAt, accountId, queueId));
  await tx.delete(queues, accountSpace(accountId), queueId);
}

/** Returns the pending deliveries of a webhook, in the order in which the alerts were raised. */
export async function waitingFor(tx: Transaction, accountId: string, webhookId: string) {
  const entries = await tx.list(pendingDeliveries, accountSpace(accountId), { prefix: `${webhookId}/` });
  return entries.map(({ id, value }) => ({ alertId: alertIdOf(id), key: id, ...value }));
}

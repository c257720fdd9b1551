import { accountSpace, type Transaction } from "../store/store.ts";
import { DUE, due, dueId, type Queue, queues } from "./model.ts";

const EMPTY: Queue = { failures: 0, dropped: 0 };

/** A queue that a server works on, until its lease ends or it is released. */
export interface Claim {
  accountId: string;
  queueId: string;
  lease: string;
}

export function queueOf(tx: Transaction, accountId: string, queueId: string): Promise<Queue> {
  return tx.get(queues, accountSpace(accountId), queueId).then((found) => found ?? EMPTY);
}

/** Has somebody look at a queue at a time, or sooner where they will anyway. Who works on it looks again by themselves. */
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

/** What somebody asks for is tried at once, whatever the receiver has asked for. */
export async function endPause(tx: Transaction, accountId: string, queueId: string): Promise<void> {
  const { notBefore, ...queue } = await queueOf(tx, accountId, queueId);
  if (notBefore !== undefined) await tx.put(queues, accountSpace(accountId), queueId, queue);
}

/** Undefined where another server has it, or nothing is due. */
export async function claim(
  tx: Transaction,
  { accountId, queueId, lease }: Claim,
  seen: number,
  until: number,
): Promise<Queue | undefined> {
  const queue = await queueOf(tx, accountId, queueId);
  if (queue.dueAt !== seen) {
    // The account was deleted meanwhile, or a webhook: nothing else leaves an entry behind.
    await tx.delete(due, DUE, dueId(seen, accountId, queueId));
    return undefined;
  }
  await setDue(tx, accountId, queueId, { ...queue, lease }, until);
  return queue;
}

/** The queue, while the lease on it holds. */
export async function held(tx: Transaction, { accountId, queueId, lease }: Claim) {
  const queue = await queueOf(tx, accountId, queueId);
  return queue.lease === lease ? queue : undefined;
}

/** Leaves a queue to whoever looks at it next. */
export async function release(tx: Transaction, claimed: Claim, nextAt: number | undefined): Promise<void> {
  const queue = await held(tx, claimed);
  if (!queue) return;
  const { lease: _, ...rest } = queue;
  await setDue(tx, claimed.accountId, claimed.queueId, rest, nextAt);
}

/** With its entry among all that are due. */
async function setDue(
  tx: Transaction,
  accountId: string,
  queueId: string,
  { dueAt: before, ...queue }: Queue,
  dueAt: number | undefined,
): Promise<void> {
  if (before !== undefined && before !== dueAt) await tx.delete(due, DUE, dueId(before, accountId, queueId));
  if (dueAt !== undefined && before !== dueAt) {
    await tx.put(due, DUE, dueId(dueAt, accountId, queueId), { accountId, queueId });
  }
  const after = dueAt === undefined ? queue : { ...queue, dueAt };
  await tx.put(queues, accountSpace(accountId), queueId, after);
}

/** Ends a queue with its webhook. */
export async function deleteQueue(tx: Transaction, accountId: string, queueId: string): Promise<void> {
  const { dueAt } = await queueOf(tx, accountId, queueId);
  if (dueAt !== undefined) await tx.delete(due, DUE, dueId(dueAt, accountId, queueId));
  await tx.delete(queues, accountSpace(accountId), queueId);
}

import { inSlices, type PageOf, type PageRequest } from "../accounts/page.ts";
import type { Manager } from "../accounts/users/managers.ts";
import type { AuditTrail } from "../audit/trail.ts";
import { pageOf } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";
import { accountSpace, type Entry, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import {
  alertIdOf,
  alerts,
  type Delivery,
  deliveries,
  deliveryId,
  KEPT_MS,
  pendingDeliveries,
  webhookIdOf,
} from "./model.ts";
import { endPause, makeDue, queueOf } from "./queue.ts";
import type { Raising } from "./raising.ts";
import { checkReach, targetOf, webhookOf } from "./webhooks.ts";

/** A delivery with the id of its alert. */
export interface KnownDelivery extends Delivery {
  alertId: string;
  nextAttemptAt?: number;
}

export interface DeliveryQuestion extends PageRequest {
  state?: Delivery["state"] | undefined;
  type?: string | undefined;
}

/** The deliveries of webhooks. Each method throws `Problem` `not_found` for an unknown webhook or delivery. */
export interface Deliveries {
  /** Lists deliveries, newest first. */
  list(accountId: string, webhookId: string, question: DeliveryQuestion): Promise<PageOf<KnownDelivery>>;
  /** `Problem` `insufficient_scope` for an alert about accounts, if the caller is no operator. */
  get(by: Manager, webhookId: string, alertId: string): Promise<{ delivery: KnownDelivery; body: string }>;
  /** Sends a test alert. `Problem` `invalid_state` for a webhook that is turned off. */
  test(by: Manager, webhookId: string): Promise<KnownDelivery>;
  /** `Problem` as `get` and `test`. */
  redeliver(by: Manager, webhookId: string, alertId: string): Promise<KnownDelivery>;
}

/** Deliveries read in one transaction: the receiver decides on most of their size, up to 30 KB each. */
const SLICE = 50;

export function createDeliveries({
  store,
  audit,
  clock,
  raising,
  wake,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Pick<Clock, "now">;
  raising: Pick<Raising, "tell">;
  wake: () => void;
}): Deliveries {
  return {
    async list(accountId, webhookId, { limit, cursor, state, type }) {
      await store.transact((tx) => webhookOf(tx, accountId, webhookId));
      const prefix = `${webhookId}/`;
      const after = cursor === undefined ? undefined : prefix + cursor;
      const slices = { order: "descending", prefix, first: limit + 1, size: SLICE, after } as const;
      const matching: Entry<Delivery>[] = [];
      for await (const some of inSlices(store, deliveries, accountSpace(accountId), slices)) {
        matching.push(
          ...some.filter(
            ({ value }) => (state ?? value.state) === value.state && (type ?? value.type) === value.type,
          ),
        );
        if (matching.length > limit) break;
      }
      const { items, ...more } = pageOf(matching, limit, ({ id }) => alertIdOf(id));
      const shown = await store.transact((tx) =>
        Promise.all(items.map(({ id, value }) => known(tx, accountId, id, value))),
      );
      return { items: shown, ...more };
    },
    get: (by, webhookId, alertId) =>
      store.transact(async (tx) => {
        const delivery = await found(tx, by.accountId, webhookId, alertId);
        checkReach(by, [delivery.type]);
        const alert = await tx.get(alerts, accountSpace(by.accountId), alertId);
        return { delivery, body: alert?.body ?? "" };
      }),
    async test(by, webhookId) {
      const { accountId } = by;
      const delivery = await audit.transact(by, async (tx, note) => {
        const webhook = await webhookOf(tx, accountId, webhookId);
        refuseTurnedOff(webhook);
        const data = { webhookId };
        const subject = `test/${webhookId}`;
        await endPause(tx, accountId, webhookId);
        const alertId = await raising.tell(tx, { type: "webhook.test", accountId, subject, data }, webhook);
        note({ action: "webhook.tested", target: targetOf(webhook) });
        return found(tx, accountId, webhookId, alertId);
      });
      wake();
      return delivery;
    },
    async redeliver(by, webhookId, alertId) {
      const { accountId } = by;
      const again = await audit.transact(by, async (tx, note) => {
        const space = accountSpace(accountId);
        const key = deliveryId(webhookId, alertId);
        const webhook = await webhookOf(tx, accountId, webhookId);
        refuseTurnedOff(webhook);
        const { type } = await found(tx, accountId, webhookId, alertId);
        checkReach(by, [type]);
        const alert = await tx.get(alerts, space, alertId);
        const delivery = await tx.get(deliveries, space, key);
        if (!alert || !delivery) throw noDelivery(alertId);
        const { reason: _, ...kept } = delivery;
        const dueAt = clock.now();
        const lifetime = { expiresAt: alert.at + KEPT_MS };
        await tx.put(deliveries, space, key, { ...kept, state: "waiting" }, lifetime);
        await tx.put(pendingDeliveries, space, key, { subject: alert.subject, dueAt, attempts: 0 }, lifetime);
        await endPause(tx, accountId, webhookId);
        await makeDue(tx, accountId, webhookId, dueAt);
        note({ action: "webhook.redelivered", target: targetOf(webhook), after: { alertId } });
        return found(tx, accountId, webhookId, alertId);
      });
      wake();
      return again;
    },
  };
}

async function found(
  tx: Transaction,
  accountId: string,
  webhookId: string,
  alertId: string,
): Promise<KnownDelivery> {
  await webhookOf(tx, accountId, webhookId);
  const id = deliveryId(webhookId, alertId);
  const delivery = await tx.get(deliveries, accountSpace(accountId), id);
  if (!delivery) throw noDelivery(alertId);
  return known(tx, accountId, id, delivery);
}

async function known(
  tx: Transaction,
  accountId: string,
  id: string,
  delivery: Delivery,
): Promise<KnownDelivery> {
  const waits = await tx.get(pendingDeliveries, accountSpace(accountId), id);
  if (!waits) return { ...delivery, alertId: alertIdOf(id) };
  // A failing webhook's pause delays all of its deliveries. While the queue is leased, its `dueAt` is the lease's end.
  const { dueAt = 0, lease } = await queueOf(tx, accountId, webhookIdOf(id));
  const nextAttemptAt = lease === undefined ? Math.max(waits.dueAt, dueAt) : waits.dueAt;
  return { ...delivery, alertId: alertIdOf(id), nextAttemptAt };
}

function refuseTurnedOff({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw new Problem("invalid_state", "This webhook is turned off. Turn it on first.");
}

function noDelivery(alertId: string): Problem {
  return new Problem("not_found", `There is no delivery of the alert ${alertId} to this webhook.`);
}

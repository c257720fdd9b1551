import { accounts } from "../accounts/model.ts";
import { accountSpace, GLOBAL, type Store, StoreUnavailable, type Transaction } from "../store/store.ts";
import { type Clock, iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { HOUR_MS, MINUTE_MS } from "../system/durations.ts";
import type { Log } from "../system/log.ts";
import { idsFrom, type Random, timeOfId } from "../system/random.ts";
import {
  type AccountAlertType,
  type Alert,
  type AlertSink,
  type AlertType,
  isAboutAccounts,
} from "./alert.ts";
import {
  alertHours,
  alertMarks,
  alerts,
  deliveries,
  deliveryId,
  KEPT_MS,
  MAX_ALERTS,
  MAX_AN_HOUR,
  pendingDeliveries,
  queues,
  type ToldAlert,
  type Webhook,
  webhooks,
} from "./model.ts";
import { makeDue, queueOf } from "./queue.ts";

/** The most alerts raised outside of transactions that are not stored yet. */
const MAX_UNDER_WAY = 1_000;
/** How far the clocks of servers on one store may differ for alerts to keep their order. */
const MAX_SKEW_MS = MINUTE_MS;

export interface RaisingPorts {
  store: Pick<Store, "transact">;
  clock: Pick<Clock, "now">;
  random: Pick<Random, "id">;
  log: Pick<Log, "warn">;
  /** Adds an alert to the next letter. */
  mail?: ((tx: Transaction, accountId: string, told: ToldAlert) => Promise<void>) | undefined;
  /** Called when an alert is queued. */
  wake: () => void;
}

export interface Raising extends AlertSink {
  /** Stores an alert for one webhook only, regardless of its types. Returns the alert's id. */
  tell(tx: Transaction, alert: Alert, webhook: Webhook): Promise<string>;
  /** Resolves once all raised alerts are stored. */
  idle(): Promise<void>;
}

/** Stores alerts with a delivery for each webhook, and adds them to the mail. The sender delivers them. */
export function createRaising({ store, clock, random, log, mail, wake }: RaisingPorts): Raising {
  const underWay = new Set<Promise<void>>();

  async function raiseIn(tx: Transaction, alert: Alert): Promise<void> {
    const { accountId, type } = alert;
    const account = await tx.peek(accounts, GLOBAL, accountId);
    if (!account || account.deleteAt !== undefined) return;
    const space = accountSpace(accountId);
    if (!(await isNews(tx, alert))) return;
    const all = await tx.list(webhooks, space);
    const wanting = all
      .map(({ value }) => value)
      .filter((webhook) => webhook.enabled && takes(webhook, type));
    const addToLetter = isAboutAccounts(type) ? undefined : mail;
    if (wanting.length === 0 && !addToLetter) return;
    if (!(await hasRoom(tx, alert))) return;
    const told = await write(tx, alert);
    for (const webhook of wanting) await deliver(tx, accountId, webhook, told);
    await addToLetter?.(tx, accountId, told.value);
    await makeRoom(
      tx,
      accountId,
      all.map(({ id }) => id),
    );
  }

  /** Deduplicates alerts by their `once` and `change`, across all servers. */
  async function isNews(tx: Transaction, { accountId, once, change }: Alert): Promise<boolean> {
    const space = accountSpace(accountId);
    if (once) {
      if (await tx.has(alertMarks, space, once.key)) return false;
      await tx.put(alertMarks, space, once.key, {}, { expiresAt: once.until });
    }
    if (change) {
      const last = (await tx.get(alertMarks, space, change.of))?.to;
      if (last === change.to || (change.from !== undefined && last !== change.from)) return false;
      await tx.put(alertMarks, space, change.of, { to: change.to }, { expiresAt: clock.now() + KEPT_MS });
    }
    return true;
  }

  async function hasRoom(tx: Transaction, alert: Alert): Promise<boolean> {
    if (!isAboutAccounts(alert.type)) return countOne(tx, alert, alert.type, MAX_AN_HOUR.ofType);
    const { type, data } = alert as Extract<Alert, { type: AccountAlertType }>;
    const { id } = data.account;
    if (!(await countOne(tx, alert, `${type}/${id}`, MAX_AN_HOUR.aboutOneAccount, id))) return false;
    return countOne(tx, alert, type, MAX_AN_HOUR.aboutAccounts);
  }

  /** Counts an alert. The first above the hourly limit is replaced by `alerts.held_back`, later ones are dropped. */
  async function countOne(
    tx: Transaction,
    { accountId, type }: Alert,
    counted: string,
    most: number,
    about?: string,
  ): Promise<boolean> {
    const space = accountSpace(accountId);
    const now = clock.now();
    const hour = Math.floor(now / HOUR_MS);
    const before = await tx.get(alertHours, space, counted);
    const count = (before?.hour === hour ? before.count : 0) + 1;
    if (count > most + 1) return false;
    const until = (hour + 1) * HOUR_MS;
    await tx.put(alertHours, space, counted, { hour, count }, { expiresAt: until });
    if (count <= most) return true;
    if (type !== "alerts.held_back") {
      const data = { heldBack: type, ...defined({ about }), until: iso(until) };
      await raiseIn(tx, { type: "alerts.held_back", accountId, subject: `held-back/${counted}`, data });
    }
    return false;
  }

  async function write(tx: Transaction, { type, accountId, subject, data }: Alert) {
    const id = await idBehindAll(tx, accountId);
    const at = timeOfId(id);
    const body = JSON.stringify({ type, timestamp: iso(at), data: { accountId, ...data } });
    const value: ToldAlert = { type, subject, at, body };
    await tx.insert(alerts, accountSpace(accountId), id, value, { expiresAt: at + KEPT_MS });
    return { id, value };
  }

  /** Returns an id that sorts behind those of servers whose clocks are ahead: deliveries go by their order. */
  async function idBehindAll(tx: Transaction, accountId: string): Promise<string> {
    const id = random.id("alt");
    const [last = ""] = await tx.ids(alerts, accountSpace(accountId), { order: "descending", limit: 1 });
    // A clock that was further ahead was wrong, and times must not stay as wrong as it was.
    if (last < id || timeOfId(last) > clock.now() + MAX_SKEW_MS) return id;
    return idsFrom(last, 2)[1] as string;
  }

  async function deliver(
    tx: Transaction,
    accountId: string,
    { id: webhookId }: Webhook,
    { id, value: { type, subject, at } }: { id: string; value: ToldAlert },
  ): Promise<void> {
    const space = accountSpace(accountId);
    const lifetime = { expiresAt: at + KEPT_MS };
    const key = deliveryId(webhookId, id);
    const delivery = { type, createdAt: at, state: "waiting" as const, attempts: 0, last: [] };
    await tx.insert(deliveries, space, key, delivery, lifetime);
    const dueAt = clock.now();
    await tx.insert(pendingDeliveries, space, key, { subject, dueAt, attempts: 0 }, lifetime);
    await makeDue(tx, accountId, webhookId, dueAt);
  }

  /** Evicts the oldest alerts beyond the limit. Counts pending deliveries that are evicted as `dropped`. */
  async function makeRoom(tx: Transaction, accountId: string, webhookIds: readonly string[]): Promise<void> {
    const space = accountSpace(accountId);
    const kept = await tx.ids(alerts, space, { limit: MAX_ALERTS + 10 });
    for (const id of kept.slice(0, Math.max(0, kept.length - MAX_ALERTS))) {
      await tx.delete(alerts, space, id);
      for (const webhookId of webhookIds) {
        const key = deliveryId(webhookId, id);
        if (await tx.has(pendingDeliveries, space, key)) {
          const queue = await queueOf(tx, accountId, webhookId);
          await tx.put(queues, space, webhookId, { ...queue, dropped: queue.dropped + 1 });
          await tx.delete(pendingDeliveries, space, key);
        }
        await tx.delete(deliveries, space, key);
      }
    }
  }

  return {
    raiseIn,
    raise(alert) {
      if (underWay.size >= MAX_UNDER_WAY) return log.warn({ alert: alert.type }, "an alert was not raised");
      const raised = store
        .transact((tx) => raiseIn(tx, alert))
        .then(wake, (err) => {
          // Requests themselves report an unavailable store.
          if (!(err instanceof StoreUnavailable))
            log.warn({ err, alert: alert.type }, "an alert was not raised");
        })
        .finally(() => underWay.delete(raised));
      underWay.add(raised);
    },
    async tell(tx, alert, webhook) {
      const told = await write(tx, alert);
      await deliver(tx, alert.accountId, webhook, told);
      await makeRoom(tx, alert.accountId, await tx.ids(webhooks, accountSpace(alert.accountId)));
      return told.id;
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

function takes({ types }: Pick<Webhook, "types">, type: AlertType): boolean {
  return types?.includes(type) ?? !isAboutAccounts(type);
}

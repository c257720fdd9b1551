import { collection } from "../store/store.ts";
import { DAY_MS } from "../system/durations.ts";
import { type AlertType, isAboutAccounts } from "./alert.ts";
import type { Failing } from "./retries.ts";

/** Times in these documents are milliseconds since the epoch. */
export interface Webhook {
  id: string;
  url: string;
  description: string;
  /** The types of alerts that it receives; all if absent. */
  types?: AlertType[];
  enabled: boolean;
  /** When and why the server turned it off. */
  disabled?: { at: number; reason: "failing" | "gone" };
  /** The id of a user. */
  createdBy: string;
  createdAt: number;
  /** When its current secret was issued, if that is not its first. */
  rotatedAt?: number;
}

/** The secret that deliveries are signed with, in base64. */
export interface WebhookSecret {
  secret: string;
  /** The previous secret, until it ends. */
  previous?: { secret: string; endsAt: number };
}

/** An alert as it is stored and delivered. */
export interface ToldAlert {
  type: AlertType;
  subject: string;
  at: number;
  /** The exact body of its deliveries, which is signed. */
  body: string;
}

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;

/** The delivery of an alert to a webhook. */
export interface Delivery {
  type: AlertType;
  createdAt: number;
  /** `failed` is final. */
  state: (typeof DELIVERY_STATES)[number];
  attempts: number;
  /** The most recent attempts, in order. */
  last: Attempt[];
  /** Why it was given up, if not because of an attempt's outcome. */
  reason?: "disabled";
}

export interface Attempt {
  at: number;
  ms: number;
  /** The HTTP status, if there was a response. */
  status?: number;
  /** The beginning of the response's body. */
  answer?: string;
  /** Why there was no response. */
  error?: string;
}

/** A pending delivery. */
export interface Waiting {
  subject: string;
  /** The time of its next attempt. */
  dueAt: number;
  attempts: number;
  /** Since the alert was raised or redelivered. */
  failing?: Failing;
}

/** The queue of one webhook, or of an account's mail. One server at a time processes it. */
export interface Queue {
  /** When a server processes it next; absent if it is empty. */
  dueAt?: number;
  /** The lease of the server that processes it, which ends at `dueAt`. */
  lease?: string;
  /** Consecutive failures. */
  failures: number;
  /** The time of the first of them. */
  failingSince?: number;
  failing?: Failing;
  /** The receiver has asked for no deliveries before this time. */
  notBefore?: number;
  lastDeliveredAt?: number;
  /** The total number of alerts that were evicted before delivery. */
  dropped: number;
}

/** The alerts collected for the next letter. */
export interface Outbox {
  alerts: { type: AlertType; at: number; line: string }[];
  /** The number of alerts beyond `alerts`. */
  more: number;
  lastSentAt: number;
}

/** Types that are not mailed. */
export interface MailOptOut {
  off: AlertType[];
}

/** In the account's space, by the webhook's id, as are the secrets. */
export const webhooks = collection<Webhook>("webhooks");
export const webhookSecrets = collection<WebhookSecret>("webhook_secrets");
/** In the account's space, by the alert's id. Ids sort by time. */
export const alerts = collection<ToldAlert>("alerts", { isOfAnother: ({ type }) => isAboutAccounts(type) });
/** In the account's space, by `deliveryId`, as are the pending ones. */
export const deliveries = collection<Delivery>("alert_deliveries", {
  isOfAnother: ({ type }) => isAboutAccounts(type),
});
export const pendingDeliveries = collection<Waiting>("alerts_waiting");
/** In the account's space, by the webhook's id, or `MAIL`. */
export const queues = collection<Queue>("alert_queues");
/** In the account's space, by `Alert.once.key` or `Alert.change.of`. */
export const alertMarks = collection<{ to?: string }>("alert_marks");
/** In the account's space, by type, and for one account by type and subject: the number of alerts in an hour. */
export const alertHours = collection<{ hour: number; count: number }>("alert_hours");
/** In the account's space: a single document, `MAIL`. */
export const outboxes = collection<Outbox>("alert_outboxes");
/** In the account's space, by the user's id, or `ACCOUNT` for everybody. */
export const mailOptOuts = collection<MailOptOut>("alert_mail_settings", { userOf: (_, id) => id });
/** In the operator's account's space: a single document, `ABOUT_ACCOUNTS`, if any webhooks get alerts about accounts. */
export const watchers = collection<{ webhookIds: string[] }>("alert_watchers");
/** In `DUE`, by `dueId`: the queues of all accounts, ordered by due time. */
export const dueQueues = collection<{ accountId: string; queueId: string }>("alerts_due");

export const alertsCollections = [
  webhooks,
  webhookSecrets,
  alerts,
  deliveries,
  pendingDeliveries,
  queues,
  alertMarks,
  alertHours,
  outboxes,
  mailOptOuts,
  watchers,
  dueQueues,
] as const;

/** The space of the due queues, which belong to no account's storage. */
export const DUE = "alerts";
export const MAIL = "mail";
export const ACCOUNT = "account";
export const ABOUT_ACCOUNTS = "about_accounts";

export function deliveryId(webhookId: string, alertId: string): string {
  return `${webhookId}/${alertId}`;
}

export function webhookIdOf(deliveryId: string): string {
  return deliveryId.slice(0, deliveryId.indexOf("/"));
}

export function alertIdOf(deliveryId: string): string {
  return deliveryId.slice(deliveryId.indexOf("/") + 1);
}

export function dueId(dueAt: number, accountId: string, queueId: string): string {
  return `${String(Math.max(0, dueAt)).padStart(15, "0")}/${accountId}/${queueId}`;
}

export function dueAtOf(dueId: string): number {
  return Number(dueId.slice(0, 15));
}

export const MAX_WEBHOOKS = 10;
/** The most alerts that an account keeps, with their deliveries. The oldest are evicted. */
export const MAX_ALERTS = 1_000;
export const KEPT_MS = 30 * DAY_MS;
/** The most alerts of one type in an hour. No account alone uses up what there is for those about all accounts. */
export const MAX_AN_HOUR = { ofType: 100, aboutAccounts: 1_000, aboutOneAccount: 20 };
export const MAX_SHOWN_ATTEMPTS = 10;

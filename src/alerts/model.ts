import { collection } from "../store/store.ts";
import type { AlertType } from "./alert.ts";

/** Times in these documents are milliseconds since the epoch. */
export interface Webhook {
  id: string;
  url: string;
  description: string;
  /** Which alerts it gets; all where absent. */
  types?: AlertType[];
  enabled: boolean;
  /** Why the server turned it off, where it did. */
  disabled?: { at: number; reason: "failing" | "gone" };
  /** A user. */
  createdBy: string;
  createdAt: number;
  /** Its secret is of then. */
  rotatedAt?: number;
}

/** What its deliveries are signed with, in base64. */
export interface WebhookSecret {
  secret: string;
  /** The one before, until it ends. */
  previous?: { secret: string; endsAt: number };
}

/** An alert as it is told. */
export interface ToldAlert {
  type: AlertType;
  subject: string;
  at: number;
  /** The body of its deliveries, to the letter: what is signed. */
  body: string;
}

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;

/** An alert on its way to a webhook. */
export interface Delivery {
  type: AlertType;
  createdAt: number;
  /** `failed`: given up. */
  state: (typeof DELIVERY_STATES)[number];
  attempts: number;
  /** The latest last. */
  last: Attempt[];
  /** Why nothing more is tried, where that was no answer. */
  reason?: "disabled";
}

export interface Attempt {
  at: number;
  ms: number;
  /** Of the answer, where there was one, … */
  status?: number;
  /** … and its beginning. */
  answer?: string;
  /** Why there was none. */
  error?: string;
}

/** A delivery that is not over. */
export interface Waiting {
  subject: string;
  /** When it is tried next. */
  dueAt: number;
  attempts: number;
  /** When it was tried first, since it last began. */
  firstAt?: number;
}

/** What waits for one webhook, or for the mail of an account: worked off by one server at a time. */
export interface Queue {
  /** When somebody looks at it next; absent where nothing waits. */
  dueAt?: number;
  /** Of the server that works on it until `dueAt`. */
  lease?: string;
  /** Failures in succession. */
  failures: number;
  failingSince?: number;
  /** Its receiver has asked to be left alone until then. */
  notBefore?: number;
  lastDeliveredAt?: number;
  /** How many gave way to newer ones undelivered, ever. */
  dropped: number;
}

/** What a letter will tell. */
export interface Outbox {
  alerts: { type: AlertType; at: number; line: string }[];
  /** Beyond those. */
  more: number;
  lastSentAt: number;
}

/** Types that are not mailed. */
export interface MailSettings {
  off: AlertType[];
}

/** In the account's space. */
export const webhooks = collection<Webhook>("webhooks");
export const webhookSecrets = collection<WebhookSecret>("webhook_secrets");
/** … by the alert's id: later ones sort later. */
export const alerts = collection<ToldAlert>("alerts");
/** … by `deliveryId`. */
export const deliveries = collection<Delivery>("alert_deliveries");
export const waiting = collection<Waiting>("alerts_waiting");
/** … by the webhook's id, or `MAIL`. */
export const queues = collection<Queue>("alert_queues");
/** … by `Alert.once.key`, or `Alert.change.of`. */
export const alertMarks = collection<{ to?: string }>("alert_marks");
/** … by type: how many came in an hour. */
export const alertHours = collection<{ hour: number; count: number }>("alert_hours");
/** … `MAIL`. */
export const outboxes = collection<Outbox>("alert_outboxes");
/** … by the user's id, or `ACCOUNT` for everybody. */
export const mailSettings = collection<MailSettings>("alert_mail_settings");
/** In `DUE`, by `dueId`: the queues of all accounts in the order of their time. */
export const due = collection<{ accountId: string; queueId: string }>("alerts_due");

export const alertsCollections = [
  webhooks,
  webhookSecrets,
  alerts,
  deliveries,
  waiting,
  queues,
  alertMarks,
  alertHours,
  outboxes,
  mailSettings,
  due,
] as const;

/** Beside the accounts, whose documents these are not. */
export const DUE = "alerts";
export const MAIL = "mail";
export const ACCOUNT = "account";

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

const DAY_MS = 24 * 60 * 60_000;

export const MAX_WEBHOOKS = 10;
/** Alerts that an account keeps with their deliveries; the oldest gives way. */
export const MAX_ALERTS = 1_000;
export const KEPT_MS = 30 * DAY_MS;
/** Of one type. */
export const MAX_AN_HOUR = 100;
export const MAX_SHOWN_ATTEMPTS = 10;

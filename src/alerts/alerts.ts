import type { AuditTrail } from "../audit/trail.ts";
import type { Post } from "../mail/post.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import type { SendPublic } from "../system/network/public-request.ts";
import type { CheckUrl } from "../system/network/public-url.ts";
import type { Random } from "../system/random.ts";
import type { AlertSink } from "./alert.ts";
import type { Outcome } from "./attempt.ts";
import { createDeliveries, type Deliveries } from "./deliveries.ts";
import { createAlertMail } from "./mail.ts";
import { createMailChoices, type MailChoices } from "./mail-settings.ts";
import { release } from "./queue.ts";
import { createRaising } from "./raising.ts";
import { createSender, type Sender } from "./sender.ts";
import { workOff } from "./webhook-queue.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

export interface AlertsPorts {
  /** The store for requests of people. */
  store: Store;
  audit: AuditTrail;
  /** The store for the server's own work. */
  plainStore: Store;
  clock: Clock;
  random: Random;
  log: Pick<Log, "warn">;
  /** Sends HTTP requests. Refuses private networks unless the operator allows them. */
  send: SendPublic;
  checkUrl: CheckUrl;
  /** Absent if no mail server is configured. */
  post?: Post | undefined;
  /** Called with the outcome of each attempt to deliver to a webhook. */
  onAttempt?: ((outcome: Outcome) => void) | undefined;
  /** The public URL of the pages, without a trailing slash. */
  pagesUrl: () => string;
  /** Where people get a larger plan, which letters about limits say. */
  upgradeUrl?: string | undefined;
}

export interface Alerts {
  sink: AlertSink;
  webhooks: Webhooks;
  deliveries: Deliveries;
  mailChoices: MailChoices;
  sendsMail: boolean;
  overdue: Sender["overdue"];
  /** Resolves once all raised alerts are stored and nothing is due. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the parts that store, queue and deliver alerts. */
export function createAlerts(ports: AlertsPorts): Alerts {
  const { plainStore, clock, random, log, send, post, pagesUrl, upgradeUrl } = ports;
  const mail = post && createAlertMail({ store: plainStore, clock, post, pagesUrl, upgradeUrl });
  const raising = createRaising({
    store: plainStore,
    clock,
    random,
    log,
    mail: mail?.add,
    wake: () => sender.wake(),
  });
  const queuePorts = { store: plainStore, clock, random, send, sink: raising, onAttempt: ports.onAttempt };
  const sender = createSender({
    store: plainStore,
    clock,
    log,
    webhook: (claimed, signal) => workOff(queuePorts, claimed, signal),
    // Without mail, drops the mail queues that are left from when it was configured.
    mail: mail?.work ?? ((claimed) => plainStore.transact((tx) => release(tx, claimed, undefined))),
  });
  return {
    sink: raising,
    webhooks: createWebhooks(ports),
    deliveries: createDeliveries({ ...ports, raising, wake: () => sender.wake() }),
    mailChoices: createMailChoices(ports),
    sendsMail: post !== undefined,
    overdue: sender.overdue,
    async idle() {
      await raising.idle();
      await sender.idle();
    },
    async close() {
      await raising.idle();
      await sender.close();
    },
  };
}

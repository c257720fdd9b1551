import { wholeAccount } from "../accounts/whole-account.ts";
import { type Handlers, type Output, pageOf } from "../contract/endpoint.ts";
import { iso } from "../system/clock.ts";
import { type AlertType, isAboutAccounts } from "./alert.ts";
import type { alertsContract } from "./contract.ts";
import type { Deliveries, KnownDelivery } from "./deliveries.ts";
import type { MailChoices } from "./mail-settings.ts";
import type { Attempt } from "./model.ts";
import { type KnownWebhook, mayHaveAll, type Webhooks } from "./webhooks.ts";

type Contract = typeof alertsContract;

export function alertsHandlers({
  webhooks,
  deliveries,
  mailChoices,
  sendsMail,
}: {
  webhooks: Webhooks;
  deliveries: Deliveries;
  mailChoices: MailChoices;
  sendsMail: boolean;
}): Handlers<Contract> {
  return {
    async listWebhooks({ limit, cursor }, caller) {
      const all = await webhooks.list(wholeAccount(caller));
      const behind = all.filter(({ id }) => cursor === undefined || id > cursor);
      return pageOf(behind.map(webhookView), limit, ({ id }) => id);
    },
    async createWebhook({ types, ...given }, caller) {
      wholeAccount(caller);
      const made = await webhooks.create(caller, { ...given, types: types as AlertType[] | undefined });
      return { webhook: webhookView(made.webhook), secret: made.secret };
    },
    async showWebhook({ webhookId }, caller) {
      return { webhook: webhookView(await webhooks.get(wholeAccount(caller), webhookId)) };
    },
    async updateWebhook({ webhookId, ...change }, caller) {
      wholeAccount(caller);
      return { webhook: webhookView(await webhooks.update(caller, webhookId, change)) };
    },
    async deleteWebhook({ webhookId }, caller) {
      wholeAccount(caller);
      await webhooks.delete(caller, webhookId);
      return {};
    },
    async rotateWebhookSecret({ webhookId, overlapSeconds }, caller) {
      wholeAccount(caller);
      return webhooks.rotate(caller, webhookId, overlapSeconds * 1000, ({ webhook, secret }) => ({
        webhook: webhookView(webhook),
        secret,
      }));
    },
    async testWebhook({ webhookId }, caller) {
      wholeAccount(caller);
      return { delivery: deliveryView(await deliveries.test(caller, webhookId)) };
    },
    async listDeliveries({ webhookId, ...question }, caller) {
      const page = await deliveries.list(wholeAccount(caller), webhookId, question);
      const shown = mayHaveAll(caller) ? page.items : page.items.map(withoutAnswers);
      return { ...page, items: shown.map(deliveryView) };
    },
    async showDelivery({ webhookId, alertId }, caller) {
      wholeAccount(caller);
      const { delivery, body } = await deliveries.get(caller, webhookId, alertId);
      return { delivery: deliveryView(delivery), body, attempts: delivery.last.map(attemptView) };
    },
    async redeliver({ webhookId, alertId }, caller) {
      wholeAccount(caller);
      return { delivery: deliveryView(await deliveries.redeliver(caller, webhookId, alertId)) };
    },
    async showMailSettings(_, caller) {
      wholeAccount(caller);
      return { available: sendsMail, ...(await mailChoices.get(caller)) };
    },
    async changeMailSettings(change, caller) {
      wholeAccount(caller);
      return { available: sendsMail, ...(await mailChoices.change(caller, change)) };
    },
  };
}

function webhookView({
  createdAt,
  rotatedAt,
  disabled,
  previousSecretEndsAt,
  failingSince,
  lastDeliveredAt,
  ...webhook
}: KnownWebhook): Output<Contract["showWebhook"]>["webhook"] {
  return {
    ...webhook,
    createdAt: iso(createdAt),
    ...(disabled && { disabled: { ...disabled, at: iso(disabled.at) } }),
    ...(rotatedAt !== undefined && { rotatedAt: iso(rotatedAt) }),
    ...(previousSecretEndsAt !== undefined && { previousSecretEndsAt: iso(previousSecretEndsAt) }),
    ...(failingSince !== undefined && { failingSince: iso(failingSince) }),
    ...(lastDeliveredAt !== undefined && { lastDeliveredAt: iso(lastDeliveredAt) }),
  };
}

function deliveryView({
  alertId,
  type,
  state,
  createdAt,
  attempts,
  nextAttemptAt,
  last,
}: KnownDelivery): Output<Contract["testWebhook"]>["delivery"] {
  const lastAttempt = last.at(-1);
  return {
    alertId,
    type,
    state,
    createdAt: iso(createdAt),
    attempts,
    ...(nextAttemptAt !== undefined && { nextAttemptAt: iso(nextAttemptAt) }),
    ...(lastAttempt && { lastAttempt: attemptView(lastAttempt) }),
  };
}

/** Leaves out what was answered to an alert about an account: a receiver may repeat what it was sent. */
function withoutAnswers(delivery: KnownDelivery): KnownDelivery {
  if (!isAboutAccounts(delivery.type)) return delivery;
  return { ...delivery, last: delivery.last.map(({ answer: _, ...attempt }) => attempt) };
}

function attemptView({ at, ...attempt }: Attempt) {
  return { at: iso(at), ...attempt };
}

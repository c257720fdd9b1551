import { press } from "../../web/support/forms.ts";
import type { Place, Sent } from "./place.ts";

async function webhook({ app }: Place): Promise<string> {
  const body = { url: "https://hooks.invalid/" };
  return (await app.request("POST", "/api/v1/webhooks", { body })).body.webhook.id;
}

const toWebhook = (action: string, fields = {}): Sent["send"] => {
  return async (place) => {
    const id = await webhook(place);
    return press(place.operator, `/alerts?webhook=${id}`, action, { webhook: id, ...fields });
  };
};

/** Forms about an account's alerts. */
export const ALERTS: Record<string, Sent> = {
  "/alerts create": {
    action: "webhook.created",
    says: "after",
    async send({ operator }) {
      const fields = { url: "https://hooks.invalid/", "type:key.refused": "on" };
      return press(operator, "/alerts", "create", fields);
    },
  },
  "/alerts change": {
    action: "webhook.updated",
    send: toWebhook("change", { url: "https://elsewhere.invalid/", "type:key.refused": "on" }),
  },
  "/alerts off": { action: "webhook.updated", send: toWebhook("off") },
  "/alerts on": {
    action: "webhook.updated",
    async send(place) {
      const id = await webhook(place);
      await place.app.request("PATCH", `/api/v1/webhooks/${id}`, { body: { enabled: false } });
      return press(place.operator, `/alerts?webhook=${id}`, "on", { webhook: id });
    },
  },
  "/alerts rotate": { action: "webhook.rotated", says: "after", send: toWebhook("rotate") },
  "/alerts delete": { action: "webhook.deleted", says: "before", send: toWebhook("delete") },
  "/alerts test": { action: "webhook.tested", says: "nothing", send: toWebhook("test") },
  "/alerts redeliver": {
    action: "webhook.redelivered",
    says: "after",
    async send(place) {
      const id = await webhook(place);
      const path = `/api/v1/webhooks/${id}`;
      const { delivery } = (await place.app.request("POST", `${path}/test`, { body: {} })).body;
      await place.app.request("PATCH", path, { body: { enabled: false } });
      await place.app.request("PATCH", path, { body: { enabled: true } });
      const page = `/alerts?webhook=${id}&alert=${delivery.alertId}`;
      return press(place.operator, page, "redeliver", { webhook: id, alert: delivery.alertId });
    },
  },
  "/alerts mail-user": {
    action: "alert_mail.updated",
    send: async ({ operator }) => press(operator, "/alerts", "mail-user"),
  },
  "/alerts mail-account": {
    action: "alert_mail.updated",
    send: async ({ operator }) => press(operator, "/alerts", "mail-account"),
  },
};

import type { ReactElement } from "react";
import { type AlertType, isAboutAccounts, OWN_TYPES } from "../../../alerts/alert.ts";
import type { alertsContract } from "../../../alerts/contract.ts";
import { DELIVERY_STATES } from "../../../alerts/model.ts";
import { DAY_S } from "../../../system/durations.ts";
import { duration } from "../../../text/amounts.ts";
import { Command, commandFor } from "../../command.tsx";
import { Form } from "../../form.tsx";
import { addressOf } from "../frame/address.ts";
import { choice, type EndpointCalls, may, queryParam } from "../frame/endpoint-calls.ts";
import { firstOf, needOf } from "../frame/need-of.ts";
import { Titled } from "../frame/pages.tsx";
import type { Section, View } from "../frame/section.ts";
import { SecretOnce } from "../secret-once.tsx";
import { NAMES, OwnTypes, typesIn } from "./alert-types.tsx";
import { NewWebhook, PATH } from "./forms.tsx";
import { Health, OneDelivery, OneWebhook, type Webhook } from "./webhook.tsx";

export type AccountAlerts = EndpointCalls<typeof alertsContract>;

const ON_PAGE = 50;

/** Creates the section of alerts: webhooks, their deliveries, and what is mailed. */
export function alertsSection(alerts: AccountAlerts): Section {
  return {
    path: PATH,
    title: "Alerts",
    group: "Account",
    wide: true,
    isFor: (view) => may(view, "admin"),
    notFor: "An administrator of the account manages its alerts.",
    async needs(view) {
      const { items } = await alerts.listWebhooks({ limit: 200 }, view);
      const failing = items.filter(({ failingSince, disabled }) => failingSince ?? disabled);
      const hostOf = ({ url }: Webhook) => new URL(url).host;
      const since = (at: number | string) => duration(view.now - new Date(at).getTime());
      return needOf(
        { items: failing },
        (webhook) => ({
          said: webhook.disabled ? "A webhook was turned off" : "Deliveries to a webhook fail",
          detail: `${hostOf(webhook)}, ${webhook.disabled ? `${since(webhook.disabled.at)} ago` : `for ${since(webhook.failingSince ?? view.now)}`}`,
          isUrgent: true,
          asked: { webhook: webhook.id },
        }),
        (count, webhooks) => ({
          said: `${count} webhooks fail or were turned off`,
          detail: firstOf(webhooks, hostOf),
          isUrgent: true,
        }),
      );
    },
    async page(view) {
      const webhookId = queryParam(view, "webhook");
      if (webhookId === undefined) return <All view={view} {...(await allOf(alerts, view))} />;
      const alertId = queryParam(view, "alert");
      if (alertId !== undefined) {
        const shown = await alerts.showDelivery({ webhookId, alertId }, view);
        return (
          <Titled name={shown.delivery.type}>
            <OneDelivery shown={shown} view={view} />
          </Titled>
        );
      }
      const { webhook } = await alerts.showWebhook({ webhookId }, view);
      const sent = await alerts.listDeliveries({ webhookId, ...questionOf(view) }, view);
      return (
        <Titled name={webhook.url}>
          <OneWebhook webhook={webhook} sent={sent} view={view} />
        </Titled>
      );
    },
    actions: {
      async create(view, form) {
        const { webhook, secret } = await alerts.createWebhook(
          { ...targetIn(form), ...chosen(typesIn(form)) },
          view,
        );
        return shownOnce("The webhook is made", secret, webhook.id, view);
      },
      async change(view, form) {
        const types = chosen(typesIn(form)).types ?? null;
        await alerts.updateWebhook({ webhookId: idIn(form), ...targetIn(form), types }, view);
        return { said: "The webhook is changed." };
      },
      async on(view, form) {
        await alerts.updateWebhook({ webhookId: idIn(form), enabled: true }, view);
        return { said: "The webhook is on." };
      },
      async off(view, form) {
        await alerts.updateWebhook({ webhookId: idIn(form), enabled: false }, view);
        return { said: "The webhook is off." };
      },
      async rotate(view, form) {
        const asked = { webhookId: idIn(form), overlapSeconds: DAY_S };
        const { webhook, secret } = await alerts.rotateWebhookSecret(asked, view);
        return shownOnce("The webhook has a new secret", secret, webhook.id, view);
      },
      async delete(view, form) {
        await alerts.deleteWebhook({ webhookId: idIn(form) }, view);
        return { said: "The webhook is deleted.", next: addressOf(view, PATH) };
      },
      async test(view, form) {
        const { delivery } = await alerts.testWebhook({ webhookId: idIn(form) }, view);
        const next = addressOf(view, PATH, { webhook: idIn(form), alert: delivery.alertId });
        return { said: "A test is on its way. Reload the page to see what came of it.", next };
      },
      async redeliver(view, form) {
        await alerts.redeliver({ webhookId: idIn(form), alertId: form.get("alert") ?? "" }, view);
        return { said: "It is sent again. Reload the page to see what came of it." };
      },
      async "mail-user"(view, form) {
        await alerts.changeMailSettings({ userOff: offIn(form) }, view);
        return { said: "What you are mailed is kept." };
      },
      async "mail-account"(view, form) {
        await alerts.changeMailSettings({ accountOff: offIn(form) }, view);
        return { said: "What the account is mailed is kept." };
      },
    },
  };
}

function questionOf(view: View) {
  return {
    state: choice(view, "state", DELIVERY_STATES),
    type: queryParam(view, "type")?.slice(0, 64),
    limit: ON_PAGE,
    cursor: queryParam(view, "after"),
  };
}

async function allOf(alerts: AccountAlerts, view: View) {
  const { items } = await alerts.listWebhooks({ limit: 200 }, view);
  return { webhooks: items, mail: await alerts.showMailSettings({}, view) };
}

function All(props: {
  view: View;
  webhooks: readonly Webhook[];
  mail: Awaited<ReturnType<AccountAlerts["showMailSettings"]>>;
}): ReactElement {
  const { webhooks, mail, view } = props;
  return (
    <>
      <h2>Webhooks</h2>
      {webhooks.length === 0 ? (
        <>
          <p className="muted">No webhooks. Make one here or in a terminal:</p>
          <Command>{commandFor(view.baseUrl, "webhooks create https://hooks.example.com/toolplane")}</Command>
        </>
      ) : (
        <ul className="items">
          {webhooks.map((webhook) => (
            <li key={webhook.id}>
              <p className="row">
                <a className="target" href={addressOf(view, PATH, { webhook: webhook.id })}>
                  <strong>{webhook.url}</strong>
                </a>
                <Health webhook={webhook} now={view.now} />
              </p>
              {webhook.description !== "" && <p className="small muted">{webhook.description}</p>}
            </li>
          ))}
        </ul>
      )}
      <NewWebhook view={view} />
      <h2>Mail</h2>
      <p>
        {mail.available
          ? "Owners and admins who have proven their address are mailed, in six letters an hour at most."
          : "This server sends no mail. What you choose here is kept for when it does."}
      </p>
      <MailForm what="mail-user" title="What you are mailed" off={mail.userOff} view={view} />
      <MailForm
        what="mail-account"
        title="What anybody of the account is mailed"
        off={mail.accountOff}
        view={view}
      />
    </>
  );
}

function MailForm(props: { what: string; title: string; off: readonly string[]; view: View }): ReactElement {
  const { what, title, off, view } = props;
  return (
    <details>
      <summary>
        {title}:{" "}
        {off.length === 0
          ? "everything"
          : `all but ${off.map((type) => NAMES[type as AlertType]).join(", ")}`}
      </summary>
      <Form action={addressOf(view, PATH)} visit={view.visit} className="stack">
        <OwnTypes chosen={OWN_TYPES.filter((type) => !off.includes(type))} />
        <button type="submit" name="do" value={what}>
          Save
        </button>
      </Form>
    </details>
  );
}

function idIn(form: URLSearchParams): string {
  return form.get("webhook") ?? "";
}

/** Returns the types that are not ticked. */
function offIn(form: URLSearchParams): AlertType[] {
  const types = typesIn(form);
  return OWN_TYPES.filter((type) => !types.includes(type));
}

function targetIn(form: URLSearchParams) {
  return { url: form.get("url") ?? "", description: form.get("description") ?? "" };
}

/** Returns no list if all but those about accounts are chosen, so that future types are included. */
function chosen(types: AlertType[]): { types?: AlertType[] } {
  return types.length === OWN_TYPES.length && !types.some(isAboutAccounts) ? {} : { types };
}

function shownOnce(title: string, secret: string, webhook: string, view: View): ReactElement {
  const use = "Deliveries are signed with it, as Standard Webhooks says.";
  return (
    <SecretOnce
      title={title}
      label="Its secret"
      secret={secret}
      use={use}
      next={addressOf(view, PATH, { webhook })}
    />
  );
}

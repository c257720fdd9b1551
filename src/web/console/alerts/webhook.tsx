import type { ReactElement } from "react";
import type * as z from "zod";
import type { alertsContract } from "../../../alerts/contract.ts";
import { DELIVERY_STATES } from "../../../alerts/model.ts";
import { Do, Form } from "../../form.tsx";
import { Ago, Until } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { queryParam } from "../frame/endpoint-calls.ts";
import { FilterForm, Kept } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { Below, Table } from "../frame/table.tsx";
import { TwoSteps } from "../frame/two-steps.tsx";
import { ChangeWebhook, PATH } from "./forms.tsx";

type Contract = typeof alertsContract;
export type Webhook = z.output<Contract["showWebhook"]["output"]>["webhook"];
type Deliveries = z.output<Contract["listDeliveries"]["output"]>;
type Shown = z.output<Contract["showDelivery"]["output"]>;
type Attempt = Shown["attempts"][number];

/** Says briefly whether deliveries to a webhook succeed. */
export function Health({ webhook, now }: { webhook: Webhook; now: number }): ReactElement {
  const { enabled, disabled, failingSince, lastDeliveredAt, waiting, dropped } = webhook;
  return (
    <span className="small muted">
      {disabled ? (
        <>
          turned off <Ago at={Date.parse(disabled.at)} now={now} />:{" "}
          {disabled.reason === "gone" ? "it answered 410" : "it failed for five days"}
        </>
      ) : !enabled ? (
        "turned off"
      ) : failingSince !== undefined ? (
        <>
          failing for <Until at={2 * now - Date.parse(failingSince)} now={now} />
        </>
      ) : lastDeliveredAt !== undefined ? (
        <>
          delivered <Ago at={Date.parse(lastDeliveredAt)} now={now} />
        </>
      ) : (
        "nothing sent yet"
      )}
      {waiting > 0 && ` · ${waiting} waiting`}
      {dropped > 0 && ` · ${dropped} dropped undelivered`}
    </span>
  );
}

/** Shows a webhook, the actions on it, and its deliveries. */
export function OneWebhook(props: { webhook: Webhook; sent: Deliveries; view: View }): ReactElement {
  const { webhook, sent, view } = props;
  const here = { action: sameAddress(view, PATH, {}), visit: view.visit };
  return (
    <>
      <a className="target" href={addressOf(view, PATH)}>
        All webhooks
      </a>
      <h2>{webhook.url}</h2>
      <p>
        <Health webhook={webhook} now={view.now} />
      </p>
      <Form {...here} className="inline">
        <input type="hidden" name="webhook" value={webhook.id} />
        {webhook.enabled ? (
          <>
            <Do what="test">Send a test</Do>
            <Do what="off">Turn it off</Do>
          </>
        ) : (
          <Do what="on">Turn it on</Do>
        )}
      </Form>
      <h3>Deliveries</h3>
      <Sent sent={sent} view={view} />
      <h3>Change it</h3>
      <ChangeWebhook webhook={webhook} view={view} />
      <h3>Another secret</h3>
      {webhook.previousSecretEndsAt !== undefined && (
        <p className="muted">
          Deliveries are signed with the one before, too, for{" "}
          <Until at={Date.parse(webhook.previousSecretEndsAt)} now={view.now} />.
        </p>
      )}
      <TwoSteps
        {...here}
        verb="Make a new secret"
        fields={{ do: "rotate", webhook: webhook.id }}
        subject={webhook.url}
        consequence="For a day deliveries are signed with both."
      />
      <TwoSteps
        action={addressOf(view, PATH)}
        visit={view.visit}
        verb="Delete"
        fields={{ do: "delete", webhook: webhook.id }}
        subject={webhook.url}
        consequence="Nothing more is sent to it, and its deliveries are gone."
      />
    </>
  );
}

function Sent({ sent, view }: { sent: Deliveries; view: View }): ReactElement {
  const state = queryParam(view, "state");
  return (
    <>
      <FilterForm view={view} path={PATH} choices={{ state: DELIVERY_STATES }}>
        <Kept view={view} names={["webhook"]} />
        <div className="inline">
          <label htmlFor="state">State</label>
          <select id="state" name="state" defaultValue={state ?? ""}>
            <option value="">all</option>
            {DELIVERY_STATES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
        <div className="inline grows">
          <label htmlFor="type">Type</label>
          <input id="type" type="search" name="type" maxLength={64} defaultValue={queryParam(view, "type")} />
        </div>
      </FilterForm>
      {sent.items.length === 0 ? (
        <p className="muted">Nothing was sent that is like that.</p>
      ) : (
        <Table
          view={view}
          path={PATH}
          label="Deliveries"
          columns={[
            {
              title: "Alert",
              cell: ({ alertId, type }) => (
                <a className="target" href={sameAddress(view, PATH, { alert: alertId })}>
                  {type}
                </a>
              ),
            },
            { title: "Raised", cell: ({ createdAt }) => <Ago at={Date.parse(createdAt)} now={view.now} /> },
            { title: "State", cell: (delivery) => delivery.state },
            { title: "Attempts", cell: ({ attempts }) => attempts },
            { title: "Last", cell: ({ lastAttempt }) => lastAttempt && outcomeOf(lastAttempt) },
          ]}
          rows={sent.items}
          keyOf={({ alertId }) => alertId}
        />
      )}
      <Below view={view} path={PATH} after={sent.nextCursor} />
    </>
  );
}

/** Shows a delivery: what was sent, the answers, and a button to send it again. */
export function OneDelivery({ shown, view }: { shown: Shown; view: View }): ReactElement {
  const { delivery, body, attempts } = shown;
  const at = Date.parse(delivery.createdAt);
  return (
    <>
      <a className="target" href={sameAddress(view, PATH, { alert: undefined })}>
        All deliveries
      </a>
      <h2>{delivery.type}</h2>
      <p className="muted">
        {delivery.state}, raised <Ago at={at} now={view.now} />
        {delivery.nextAttemptAt !== undefined && Date.parse(delivery.nextAttemptAt) > view.now && (
          <>
            , tried again in <Until at={Date.parse(delivery.nextAttemptAt)} now={view.now} />
          </>
        )}
      </p>
      <Form action={sameAddress(view, PATH, {})} visit={view.visit} className="inline">
        <input type="hidden" name="webhook" value={queryParam(view, "webhook")} />
        <input type="hidden" name="alert" value={delivery.alertId} />
        <Do what="redeliver">Send again</Do>
      </Form>
      <h3>What is sent</h3>
      <p className="small muted">webhook-id: {delivery.alertId}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre className="scroll small" tabIndex={0}>
        {JSON.stringify(JSON.parse(body || "{}"), null, 2)}
      </pre>
      <h3>Attempts</h3>
      {attempts.length === 0 && <p className="muted">None yet.</p>}
      <ul className="items">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.at}>
            <p className="row">
              <strong>{outcomeOf(attempt)}</strong>
              <Ago at={Date.parse(attempt.at)} now={view.now} />
            </p>
            {attempt.answer !== undefined && <p className="small muted">{attempt.answer}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

function outcomeOf({ status, error, ms }: Attempt): string {
  return status === undefined ? `no answer: ${error}` : `${status} in ${ms} ms`;
}

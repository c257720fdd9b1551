import type { ReactElement } from "react";
import { type AlertType, SUBSCRIBED_TYPES } from "../../../alerts/alert.ts";
import { Form } from "../../form.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import type { View } from "../frame/section.ts";

export const PATH = "/alerts";

/** What the forms call a type of alerts: none comes twice. */
const FIELD = "type:";

export const NAMES: Record<AlertType, string> = {
  "limit.warning": "80 % of a window of requests used",
  "limit.reached": "A window of requests used up",
  "key.refused": "A key refused",
  "error_group.new": "A new error",
  "error_group.regressed": "An error that is back",
  "error_group.unignored": "An error no longer ignored",
  "anomaly.found": "An anomaly",
  "upstream.down": "An upstream down",
  "upstream.up": "An upstream up again",
  "webhook.disabled": "A webhook turned off",
  "alerts.held_back": "Too many alerts",
  "webhook.test": "A test",
};

/** The types that a form has ticked. */
export function typesIn(form: URLSearchParams): AlertType[] {
  return SUBSCRIBED_TYPES.filter((type) => form.has(FIELD + type));
}

export function NewWebhook({ view }: { view: View }): ReactElement {
  return (
    <>
      <h2 id="make">Have alerts sent to a URL</h2>
      <Form action={addressOf(view, PATH)} visit={view.visit} className="stack">
        <input type="hidden" name="do" value="create" />
        <Target />
        <Types chosen={SUBSCRIBED_TYPES} />
        <button type="submit" className="filled">
          Make the webhook
        </button>
      </Form>
    </>
  );
}

export function ChangeWebhook(props: {
  webhook: { id: string; url: string; description: string; types?: readonly string[] | undefined };
  view: View;
}): ReactElement {
  const { webhook, view } = props;
  return (
    <Form action={sameAddress(view, PATH, {})} visit={view.visit} className="stack">
      <input type="hidden" name="do" value="change" />
      <input type="hidden" name="webhook" value={webhook.id} />
      <Target url={webhook.url} description={webhook.description} />
      <Types chosen={webhook.types ?? SUBSCRIBED_TYPES} />
      <button type="submit">Save changes</button>
    </Form>
  );
}

function Target({ url, description }: { url?: string; description?: string }): ReactElement {
  return (
    <>
      <div>
        <label htmlFor="url">URL</label>
        <input
          id="url"
          name="url"
          type="url"
          maxLength={2048}
          autoComplete="off"
          required
          placeholder="https://hooks.example.com/toolplane"
          defaultValue={url}
        />
      </div>
      <div>
        <label htmlFor="description">What it is for</label>
        <input
          id="description"
          name="description"
          maxLength={256}
          autoComplete="off"
          defaultValue={description}
        />
      </div>
    </>
  );
}

/** A box to tick for each type. */
export function Types({ chosen }: { chosen: readonly string[] }): ReactElement {
  return (
    <fieldset className="checks">
      <legend>Alerts</legend>
      {SUBSCRIBED_TYPES.map((type) => (
        <label key={type} className="check">
          <input type="checkbox" name={FIELD + type} defaultChecked={chosen.includes(type)} />
          {NAMES[type]}
        </label>
      ))}
    </fieldset>
  );
}

/** The only time that a secret is seen. */
export function SecretOnce({
  view,
  title,
  secret,
  webhookId,
}: {
  view: View;
  title: string;
  secret: string;
  webhookId: string;
}): ReactElement {
  return (
    <div className="stack" role="status">
      <h2>{title}</h2>
      <div>
        <label htmlFor="secret">Its secret, which is not shown again</label>
        <input id="secret" readOnly value={secret} spellCheck={false} autoComplete="off" />
        <p className="small muted">Click it twice, or reach it by Tab, to have all of it selected.</p>
      </div>
      <p className="muted">Deliveries are signed with it, as Standard Webhooks says.</p>
      <a className="button" href={addressOf(view, PATH, { webhook: webhookId })}>
        I have kept it
      </a>
    </div>
  );
}

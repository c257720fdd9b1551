import type { ReactElement } from "react";
import { OWN_TYPES } from "../../../alerts/alert.ts";
import { Form } from "../../form.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";
import { AccountTypes, OwnTypes } from "./alert-types.tsx";

export const PATH = "/alerts";

export function NewWebhook({ view }: { view: View }): ReactElement {
  return (
    <>
      <h2 id="make">Have alerts sent to a URL</h2>
      <Form action={addressOf(view, PATH)} visit={view.visit} className="stack">
        <input type="hidden" name="do" value="create" />
        <Target />
        <Types chosen={OWN_TYPES} view={view} />
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
      <Types chosen={webhook.types ?? OWN_TYPES} view={view} />
      <button type="submit">Save changes</button>
    </Form>
  );
}

function Types({ chosen, view }: { chosen: readonly string[]; view: View }): ReactElement {
  return (
    <>
      <OwnTypes chosen={chosen} />
      {may(view, "operator") && <AccountTypes chosen={chosen} />}
    </>
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

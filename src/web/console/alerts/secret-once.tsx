import type { ReactElement } from "react";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { PATH } from "./forms.tsx";

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

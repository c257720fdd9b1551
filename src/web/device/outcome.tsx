import type { ReactElement } from "react";
import type { Decision } from "../../oauth/device/device-authorization.ts";
import { Page } from "../layout.tsx";

/** Says what a decision has done. */
export function Decided({ decision }: { decision: Decision }): ReactElement {
  return decision === "approve" ? (
    <Outcome title="Approved.">
      <p>Go back to your terminal; you can close this page.</p>
    </Outcome>
  ) : (
    <Outcome title="Denied.">
      <p>The device was not signed in; you can close this page.</p>
    </Outcome>
  );
}

/** Says that the request was already decided, perhaps in another tab, and that this is final. */
export function DecidedBefore({ status }: { status: "approved" | "denied" }): ReactElement {
  return status === "approved" ? (
    <Outcome title="This code is approved already.">
      <p>
        A decision stands once it is made. To sign the device out again, revoke it under{" "}
        <a href="/devices">Devices</a>.
      </p>
    </Outcome>
  ) : (
    <Outcome title="This code is denied already.">
      <p>
        A decision stands once it is made. To sign the device in, start again on it and{" "}
        <a href="/device">enter the new code</a>.
      </p>
    </Outcome>
  );
}

function Outcome({ title, children }: { title: string; children: ReactElement }): ReactElement {
  return (
    <Page title={title.replace(/\.$/, "")} width="narrow">
      <div className="card stack" role="status">
        <h1>{title}</h1>
        {children}
      </div>
    </Page>
  );
}

import type { ReactElement } from "react";
import type { DeviceRequest } from "../../oauth/device/device-authorization.ts";
import { isLoopbackAddress } from "../../system/network/loopback.ts";
import { ScopeList } from "../consent/scope-list.tsx";
import { WhoDecides } from "../consent/who-decides.tsx";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import { Ago, Until } from "../time.tsx";
import type { SignedInVisit } from "../visit.ts";

/** Shows what asks to sign in, and asks for a decision. */
export function ConfirmRequest(props: {
  visit: SignedInVisit;
  request: DeviceRequest;
  /** The address of the browser that requested this page. */
  address: string;
  now: number;
}): ReactElement {
  const { visit, request, now } = props;
  const { client, scopes } = request;
  return (
    <Page title="Approve a device" width="narrow">
      <div className="card stack">
        <h1>{client.name} asks to sign in</h1>
        {client.registered ? (
          <p className="muted">
            Registered application <code>{client.id}</code>
          </p>
        ) : (
          <p className="notice">
            <strong>Not registered.</strong> This server does not know the application{" "}
            <code>{client.id}</code>; anyone can use that name.
          </p>
        )}
        <div className="stack tight">
          <p id="compare">Does your device show this same code?</p>
          <p className="user-code" aria-describedby="compare">
            {request.userCode}
          </p>
          <p className="muted small">
            If it shows another, or if you did not start this yourself, choose Deny.
          </p>
        </div>
        <h2>It will be able to</h2>
        <ScopeList scopes={scopes} />
        <dl className="facts">
          <div>
            <dt>From</dt>
            <dd>
              {request.address}
              {isSame(request.address, props.address)
                ? " (as this browser)"
                : " (not this browser’s address)"}
            </dd>
          </div>
          <div>
            <dt>Program</dt>
            <dd>{request.userAgent || "not named"}</dd>
          </div>
          <div>
            <dt>Asked</dt>
            <dd>
              <Ago at={request.requestedAt} now={now} />, expires in{" "}
              <Until at={request.expiresAt} now={now} />
            </dd>
          </div>
        </dl>
        <WhoDecides visit={visit} next={`/device?${new URLSearchParams({ user_code: request.userCode })}`} />
        <Form action="/device" visit={visit} className="choice">
          <input type="hidden" name="user_code" value={request.userCode} />
          <button type="submit" className="filled" name="decision" value="approve">
            Approve
          </button>
          <button type="submit" name="decision" value="deny">
            Deny
          </button>
        </Form>
      </div>
    </Page>
  );
}

/**
 * Whether two addresses are the same. All loopback addresses are, since browsers and devices may use different ones.
 */
function isSame(one: string, other: string): boolean {
  return one === other || (isLoopbackAddress(one) && isLoopbackAddress(other));
}

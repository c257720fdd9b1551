import type { ReactElement } from "react";
import { IDENTITY_SCOPES } from "../../contract/caller.ts";
import type { ConsentRequest, RefusedRequest } from "../../oauth/authorization/authorizations.ts";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import type { SignedInVisit } from "../visit.ts";
import { ScopeList } from "./scope-list.tsx";
import { WhoDecides } from "./who-decides.tsx";

export const CONSENT_PATH = "/auth/authorize";

interface ConsentProps {
  visit: SignedInVisit;
  planName: string;
  request: ConsentRequest;
  /** Identifies the waiting request. */
  requestUri: string;
}

/** Returns the path of the page that asks about a waiting request. */
export function waitingPath(clientId: string, requestUri: string): string {
  return `${CONSENT_PATH}?${new URLSearchParams({ client_id: clientId, request_uri: requestUri })}`;
}

/** Asks whether an application may have what it asks for. */
export function ConsentPage({ visit, planName, request, requestUri }: ConsentProps): ReactElement {
  const { client, destination, resource, scopes } = request;
  const { account } = visit.signedIn;
  // Who only learns who somebody is can use nothing here, which would count.
  const usesService = scopes.some(({ scope }) => !IDENTITY_SCOPES.some((identity) => identity === scope));
  return (
    <Page title="Allow an application" width="narrow">
      <div className="card stack">
        <WhoAsks client={client} />
        <h2>It will be able to</h2>
        <ScopeList scopes={scopes} />
        <dl className="facts">
          {usesService && (
            <div>
              <dt>For</dt>
              <dd>{resource ?? "All of this service"}</dd>
            </div>
          )}
          <div>
            <dt>Then to</dt>
            <dd>{whereTo(destination)}</dd>
          </div>
          {usesService && (
            <div>
              <dt>Plan</dt>
              <dd>
                {planName}; its use counts on account {account.name}
              </dd>
            </div>
          )}
        </dl>
        {destination.kind === "computer" && (
          <p className="notice">
            Its answer goes to a program on this computer. Allow it only if you have just started that program
            yourself.
          </p>
        )}
        <WhoDecides visit={visit} next={waitingPath(client.id, requestUri)} />
        <Form action={CONSENT_PATH} visit={visit} className="choice">
          <input type="hidden" name="client_id" value={client.id} />
          <input type="hidden" name="request_uri" value={requestUri} />
          <button type="submit" className="filled" name="decision" value="approve">
            Allow
          </button>
          <button type="submit" name="decision" value="deny">
            Deny
          </button>
        </Form>
      </div>
    </Page>
  );
}

/** Asks for a new sign-in, because the application wants to be sure who is there now. */
export function SignInAgainPage({ visit, request: { client }, requestUri }: ConsentProps): ReactElement {
  return (
    <Page title="Sign in again" width="narrow">
      <div className="card stack">
        <WhoAsks client={client} />
        <p>It wants you to sign in again first, so that it can be sure it is you.</p>
        <Form action="/sign-out" visit={visit} next={waitingPath(client.id, requestUri)} className="stack">
          <button type="submit" className="filled">
            Sign in again
          </button>
        </Form>
      </div>
    </Page>
  );
}

/** Shows the application. What is verified comes first and is larger than what the application claims. */
function WhoAsks({ client: { id, name, vouchedBy } }: Pick<ConsentRequest, "client">): ReactElement {
  switch (vouchedBy) {
    case "catalogue":
      return (
        <>
          <h1>{name} asks to sign in</h1>
          <p className="muted">
            Registered application <code>{id}</code>
          </p>
        </>
      );
    case "site":
      return (
        <>
          <h1>{new URL(id).host} asks to sign in</h1>
          <p className="muted">
            The application of this web site calls itself “{name}”. <code>{id}</code>
          </p>
        </>
      );
    case "nobody":
      return (
        <>
          <h1>An application asks to sign in</h1>
          <p className="notice">
            <strong>Not verified.</strong> It calls itself “{name}”; anyone can use that name.
          </p>
        </>
      );
  }
}

function whereTo({ kind, name }: ConsentRequest["destination"]): string {
  switch (kind) {
    case "site":
      return name;
    case "computer":
      return `A program on this computer (${name})`;
    case "application":
      return `The application that opens ${name}: links`;
  }
}

/** Says that a request is invalid. Nobody is redirected; `back` is where the person may return to by a link. */
export function RefusedRequestPage({
  reason,
  back,
}: {
  reason: string;
  back?: Pick<RefusedRequest, "redirect" | "destination">;
}): ReactElement {
  return (
    <Page title="Sign-in not possible" width="narrow">
      <div className="card stack" role="alert">
        <h1>This sign-in cannot go on</h1>
        <p>{reason}</p>
        <p className="muted small">You can close this page: it has allowed nothing.</p>
        {back && (
          <a className="button" href={back.redirect} rel="noreferrer">
            Go back to {back.destination.name}
          </a>
        )}
      </div>
    </Page>
  );
}

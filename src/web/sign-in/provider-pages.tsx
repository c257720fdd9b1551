import type { ReactElement } from "react";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import type { Visit } from "../visit.ts";
import { signInPath } from "../visits.ts";

/** The path at which signing in with a provider begins and ends. */
export const WITH = "/sign-in/with/";

/** Shows a button for each provider. */
export function WithProviders(props: {
  visit: Visit;
  providers: readonly { name: string; title: string }[];
  next: string;
  /** The secret of an invitation to accept. */
  link?: string;
}): ReactElement {
  return (
    <>
      {props.providers.map(({ name, title }) => (
        <Form key={name} action={WITH + name} visit={props.visit} next={props.next} className="stack">
          {props.link !== undefined && <input type="hidden" name="link" value={props.link} />}
          <button type="submit">Continue with {title}</button>
        </Form>
      ))}
    </>
  );
}

/**
 * Sends the browser to a provider. A redirect in answer to a form would have to be allowed by the previous page's
 * policy (CSP 3 §6.4.1), but the provider's URL is only known now.
 */
export function LeavePage({ title, url }: { title: string; url: URL }): ReactElement {
  return (
    <Page title={`To ${title}`} width="narrow" refresh={url.href}>
      <div className="card stack">
        <h1>To {title} …</h1>
        <a className="button filled" href={url.href}>
          Continue to {url.host}
        </a>
      </div>
    </Page>
  );
}

/** Says what went wrong with a provider, and offers the other ways. */
export function ProviderFaultPage({ message, next }: { message: string; next: string }): ReactElement {
  return (
    <Page title="Not signed in" width="narrow">
      <div className="card stack">
        <h1>You are not signed in</h1>
        <p>{message}</p>
        <a className="button" href={signInPath(next)}>
          Sign in another way
        </a>
      </div>
    </Page>
  );
}

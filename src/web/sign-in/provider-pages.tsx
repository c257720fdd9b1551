import type { ReactElement } from "react";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import { signInPath, type Visit } from "../visit.ts";

/** Where a browser begins to sign in with a provider, and comes back to. */
export const WITH = "/sign-in/with/";

/** A button for each provider. */
export function WithProviders(props: {
  visit: Visit;
  providers: readonly { name: string; title: string }[];
  next: string;
  /** The secret of an invitation in hand. */
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
 * Sends the browser on. A redirect of a form's answer would have to be to an address that the policy of the page before
 * names (CSP 3 §6.4.1), and which it is, the provider says only now.
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

/** What went wrong there, and what else there is. */
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

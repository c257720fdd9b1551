import type { ReactElement } from "react";
import { Fault } from "../fault.tsx";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import type { Visit } from "../visit.ts";
import { Email } from "./fields.tsx";

/** Returns the path at which to request a link that leads to a new password, and then to `next`. */
export function forgottenPath(next: string): string {
  const password = next === "/" ? "/password" : `/password?${new URLSearchParams({ next })}`;
  return `/sign-in/link?${new URLSearchParams({ next: password })}`;
}

/** Asks for the address to mail a one-time link to. */
export function AskForLinkPage(props: {
  visit: Visit;
  next: string;
  email?: string;
  fault?: string;
}): ReactElement {
  return (
    <Page title="E-mail me a link" width="narrow">
      <div className="card stack">
        <h1>{props.next.startsWith("/password") ? "Set a new password" : "E-mail me a link"}</h1>
        <p>A link that works once goes to your address. It signs you in.</p>
        <Fault>{props.fault}</Fault>
        <Form action="/sign-in/link" visit={props.visit} next={props.next} className="stack">
          <Email value={props.email} isAtFault={props.fault !== undefined} />
          <button type="submit" className="filled">
            E-mail me a link
          </button>
        </Form>
        <a href="/sign-in">Sign in another way</a>
      </div>
    </Page>
  );
}

/** Says that a link was sent. The same for every address, so that it does not reveal whether the address is known. */
export function LinkSentPage({ email, signUp }: { email: string; signUp: boolean }): ReactElement {
  return (
    <Page title="Look into your mail" width="narrow">
      <div className="card stack" role="status">
        <h1>Look into your mail</h1>
        <p>
          {signUp
            ? `A link is on its way to ${email}, unless signing up with that address is not possible here.`
            : `Where ${email} belongs to somebody here, a link is on its way.`}{" "}
          It works once, within 15 minutes, in any browser.
        </p>
        <p className="muted small">
          Nothing there after a few minutes? Look where unwanted mail goes, then ask again: after six links to
          one address, the next goes out every ten minutes.
        </p>
        <a className="button" href="/sign-in">
          Back
        </a>
      </div>
    </Page>
  );
}

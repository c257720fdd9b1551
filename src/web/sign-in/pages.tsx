import type { ReactElement } from "react";
import type { LinkView } from "../../accounts/sign-in/sign-in.ts";
import { passkeysScript } from "../assets.ts";
import { CONSENT_PATH } from "../consent/pages.tsx";
import { Fault } from "../fault.tsx";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import { NoPasskeys, PasskeyForm } from "../passkeys/forms.tsx";
import type { SignedInVisit, Visit } from "../visit.ts";
import { signInPath } from "../visits.ts";
import { Email, Password } from "./fields.tsx";
import { forgottenPath } from "./link-pages.tsx";
import { WithProviders } from "./provider-pages.tsx";

/** The available ways to sign in, besides the password. */
export interface Ways {
  /** A one-time link by e-mail. */
  mail: boolean;
  /** Whether anyone can sign up without an invitation. */
  signUp: boolean;
  providers: readonly { name: string; title: string }[];
  passkeys: boolean;
  /** Whether a passkey is enough to sign up. */
  signUpByPasskey: boolean;
}

/** Asks for e-mail and password, and offers the other ways. */
export function SignInPage(props: {
  visit: Visit;
  ways: Ways;
  next: string;
  email?: string | undefined;
  fault?: string;
}): ReactElement {
  const { ways } = props;
  const isAtFault = props.fault !== undefined;
  return (
    <Page title="Sign in" width="narrow" script={ways.passkeys ? passkeysScript : undefined}>
      <div className="card stack">
        <h1>Sign in</h1>
        {props.next.startsWith("/device") && <p>Afterwards you decide whether your device may sign in.</p>}
        {props.next.startsWith(CONSENT_PATH) && (
          <p>Afterwards you decide whether the application may sign in.</p>
        )}
        <Fault>{props.fault}</Fault>
        <Form action="/sign-in" visit={props.visit} next={props.next} className="stack">
          <Email value={props.email} isAtFault={isAtFault} />
          <Password name="password" label="Password" complete="current-password" isAtFault={isAtFault} />
          <button type="submit" className="filled">
            Sign in
          </button>
          {ways.mail && (
            <button type="submit" formAction="/sign-in/link" formNoValidate>
              E-mail me a link
            </button>
          )}
        </Form>
        {ways.passkeys && (
          <PasskeyForm action="/sign-in/passkey" kind="sign-in" visit={props.visit} next={props.next}>
            <button type="submit">Use a passkey</button>
          </PasskeyForm>
        )}
        <WithProviders visit={props.visit} providers={ways.providers} next={props.next} />
        {ways.mail ? (
          <p className="muted small">
            The link signs you in without a password
            {ways.signUp && ", and makes you an account where you have none"}.{" "}
            <a href={forgottenPath(props.next)}>Forgot your password?</a>
          </p>
        ) : (
          <p className="muted small">
            No password yet? Use the one-time link that the server printed when it started, or ask an
            administrator of your account for one.
          </p>
        )}
        {ways.passkeys && <NoPasskeys instead="Sign in with a password or by a link." />}
      </div>
      {ways.signUpByPasskey && (
        <div className="card stack">
          <h2>New here?</h2>
          <NoPasskeys instead={ways.mail ? "Let a link be mailed to you." : "Ask for an invitation."} />
          <PasskeyForm action="/sign-in/passkey" kind="sign-up" visit={props.visit} next={props.next}>
            <div>
              <label htmlFor="name">Your name</label>
              <input id="name" name="name" autoComplete="name" maxLength={100} required />
            </div>
            <button type="submit">Sign up with a passkey</button>
          </PasskeyForm>
        </div>
      )}
    </Page>
  );
}

/** Shows whose link it is. Only the button uses it up, so that mail scanners that open links do not. */
export function LinkPage(
  props: LinkView & { visit: Visit; ways: Ways; link: string; next: string },
): ReactElement {
  const { visit, link, next, email, accountName, invites } = props;
  const { signsUp, ends } = props;
  if (invites) return <InvitationPage {...props} accountName={accountName ?? ""} {...invites} />;
  return (
    <Page title={signsUp ? "Sign up" : "Sign in"} width="narrow">
      <div className="card stack">
        <h1>{signsUp ? `Sign up as ${email}` : `Sign in as ${email}`}</h1>
        <p>
          {signsUp ? "You get an account of your own. " : accountName && `Account ${accountName}. `}
          This link works once{!signsUp && "; afterwards you can set a password"}.
        </p>
        {ends && (
          <p className="notice">
            It is the first proof that this address is yours, and another may have claimed it before. So what
            was set until now ends: password, passkeys, connected providers, browsers, devices and API keys.
            Was it you? Then sign in as usual first, and open the link again.
          </p>
        )}
        <UseLink visit={visit} link={link} next={next}>
          {signsUp ? "Make my account" : "Sign in"}
        </UseLink>
      </div>
    </Page>
  );
}

/**
 * Asks to join an account, as the signed-in user if there is one. An address that is already known must sign in first.
 */
function InvitationPage(props: {
  visit: Visit;
  ways: Ways;
  link: string;
  next: string;
  email: string;
  accountName: string;
  known: boolean;
  isMember: boolean;
}): ReactElement {
  const { visit, link, next, email, accountName, known, isMember } = props;
  const here = visit.signedIn?.user.email;
  if (here !== undefined && isMember) return <NotForMemberPage {...{ visit, email, accountName, here }} />;
  const back = `/sign-in?${new URLSearchParams({ link, next })}`;
  return (
    <Page title="Invitation" visit={visit} width="narrow">
      <div className="card stack">
        <h1>Join {accountName}</h1>
        {here !== undefined ? (
          <p>You join as {here} and can switch between your accounts at any time.</p>
        ) : known ? (
          <p>{email} is known here. Sign in, and then join.</p>
        ) : (
          <p>As {email}. This link works once; afterwards you can set a password.</p>
        )}
        {here === undefined && known ? (
          <a className="button filled" href={signInPath(back)}>
            Sign in
          </a>
        ) : (
          <UseLink visit={visit} link={link} next={next}>
            Join
          </UseLink>
        )}
        {here === undefined && (
          <WithProviders visit={visit} providers={props.ways.providers} link={link} next={next} />
        )}
      </div>
    </Page>
  );
}

function NotForMemberPage(props: {
  visit: Visit;
  email: string;
  accountName: string;
  here: string;
}): ReactElement {
  const { visit, email, accountName, here } = props;
  return (
    <Page title="Invitation" visit={visit} width="narrow">
      <div className="card stack">
        <h1>You are in {accountName} already</h1>
        <p>
          You are signed in as {here}, and this invitation is for {email}. To join as somebody else, sign out
          first, and open the link again.
        </p>
        <a className="button filled" href="/">
          Start page
        </a>
      </div>
    </Page>
  );
}

function UseLink(props: { visit: Visit; link: string; next: string; children: string }): ReactElement {
  return (
    <Form action="/sign-in" visit={props.visit} next={props.next} className="stack">
      <input type="hidden" name="link" value={props.link} />
      <button type="submit" className="filled">
        {props.children}
      </button>
    </Form>
  );
}

export function DeadLinkPage(): ReactElement {
  return (
    <Page title="Link not valid" width="narrow">
      <div className="card stack">
        <h1>This link works no more</h1>
        <p>
          A link works once: one to sign in for 15 minutes, an invitation for seven days, unless it is renewed
          or withdrawn before. An administrator of your account can make another. To the owner the server
          prints one at each start, until a password is set.
        </p>
        <a className="button" href="/sign-in">
          Sign in another way
        </a>
      </div>
    </Page>
  );
}

/** What is wrong with a new password, and in which field. */
export interface PasswordFault {
  said: string;
  field: "current" | "password" | "repeated";
}

/** Asks for a new password, after a link or instead of the current one. */
export function PasswordPage(props: {
  visit: SignedInVisit;
  next: string;
  /** Whether the current password is needed. */
  repeats: boolean;
  fault?: PasswordFault;
}): ReactElement {
  const { user } = props.visit.signedIn;
  const field = (name: PasswordFault["field"], label: string, complete: string) => (
    <Password name={name} label={label} complete={complete} isAtFault={props.fault?.field === name} />
  );
  return (
    <Page title="Set a password" width="narrow">
      <div className="card stack">
        <h1>Set a password</h1>
        <p>To sign in as {user.email} from now on. It ends your other browsers’ sign-ins.</p>
        {props.repeats && (
          <p>
            Forgotten it? <a href="/sign-out">Sign out</a>, come back by a link, a passkey or a provider, and
            set another within 15 minutes.
          </p>
        )}
        <Fault>{props.fault?.said}</Fault>
        <Form action="/password" visit={props.visit} next={props.next} className="stack">
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          {props.repeats && field("current", "Current password", "current-password")}
          {field("password", "New password (8 characters or more)", "new-password")}
          {field("repeated", "The same again", "new-password")}
          <button type="submit" className="filled">
            Set password
          </button>
        </Form>
        <a className="button" href={props.next}>
          Not now
        </a>
      </div>
    </Page>
  );
}

export function PasswordSetPage({ next }: { next: string }): ReactElement {
  return (
    <Page title="Password set" width="narrow">
      <div className="card stack" role="status">
        <h1>Password set.</h1>
        <p>Your other browsers are signed out. Devices and API keys keep working.</p>
        <a className="button filled" href={next}>
          Continue
        </a>
      </div>
    </Page>
  );
}

/** Asks for confirmation to sign out, for those who open its address directly. */
export function SignOutPage({ visit }: { visit: SignedInVisit }): ReactElement {
  return (
    <Page title="Sign out" width="narrow">
      <div className="card stack">
        <h1>Sign out of this browser?</h1>
        <p>You are signed in as {visit.signedIn.user.email}.</p>
        <Form action="/sign-out" visit={visit} className="stack">
          <button type="submit" className="filled">
            Sign out
          </button>
        </Form>
      </div>
    </Page>
  );
}

import type { ReactElement } from "react";
import type { Identity, Passkey } from "../../accounts/model.ts";
import { mayAddAWay, type WaysOffered } from "../../accounts/sign-in/ways.ts";
import { passkeysScript } from "../assets.ts";
import { TwoSteps } from "../console/frame/two-steps.tsx";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import { NoPasskeys, PasskeyForm } from "../passkeys/forms.tsx";
import { WITH } from "../sign-in/provider-pages.tsx";
import { Ago } from "../time.tsx";
import type { SignedInVisit } from "../visit.ts";

export const SECURITY = "/security";
export const OWN_DATA = `${SECURITY}/export`;

/** Shows how somebody signs in, and what they can add. */
export function SecurityPage(props: {
  visit: SignedInVisit;
  offered: WaysOffered;
  providers: readonly { name: string; title: string }[];
  now: number;
}): ReactElement {
  const { visit, offered, providers, now } = props;
  const { passkeys = [], identities = [] } = visit.signedIn.person;
  const adds = mayAddAWay(visit.signedIn, offered, now);
  const addsPasskeys = adds && offered.passkeys;
  return (
    <Page title="Security" visit={visit} width="medium" script={addsPasskeys ? passkeysScript : undefined}>
      <h1>Security</h1>
      {!adds && <SignInAgain visit={visit} />}
      <Address visit={visit} offered={offered} adds={adds} />
      {(offered.passkeys || passkeys.length > 0) && (
        <section className="card stack">
          <h2>Passkeys</h2>
          {passkeys.length === 0 ? (
            <p className="muted">You have none.</p>
          ) : (
            <ul className="items">
              {passkeys.map((passkey) => (
                <OnePasskey key={passkey.id} visit={visit} passkey={passkey} now={now} />
              ))}
            </ul>
          )}
          {addsPasskeys && <AddPasskey visit={visit} />}
        </section>
      )}
      <section className="card stack">
        <h2>Connected providers</h2>
        {identities.length === 0 ? (
          <p className="muted">None is connected.</p>
        ) : (
          <ul className="items">
            {identities.map((identity) => (
              <Connected
                key={`${identity.issuer} ${identity.subject}`}
                visit={visit}
                identity={identity}
                now={now}
              />
            ))}
          </ul>
        )}
        {adds &&
          providers.map(({ name, title }) => (
            <Form key={name} action={WITH + name} visit={visit} next={SECURITY} className="inline">
              <input type="hidden" name="connect" value="yes" />
              <button type="submit">Connect {title}</button>
            </Form>
          ))}
      </section>
      <section className="card stack">
        <h2>Browsers and devices</h2>
        <p>
          <a href="/devices">Those that are signed in</a>, with a way to end each.
        </p>
      </section>
      <section className="card stack">
        <h2>Your data</h2>
        <p>
          <a href={OWN_DATA}>Take along what is kept about you</a>, in all of your accounts, as JSON lines. It
          has nothing secret, and stands in the audit log.
        </p>
      </section>
    </Page>
  );
}

function SignInAgain({ visit }: { visit: SignedInVisit }): ReactElement {
  return (
    <section className="card stack">
      <h2>To add a way in, sign in again</h2>
      <p>You signed in more than 15 minutes ago. Nobody who finds this browser open adds one of their own.</p>
      <Form action="/sign-out" visit={visit} next={SECURITY} className="inline">
        <button type="submit">Sign in again</button>
      </Form>
    </section>
  );
}

function Address(props: { visit: SignedInVisit; offered: WaysOffered; adds: boolean }): ReactElement {
  const { visit, offered, adds } = props;
  const { email, emailProvenAt, passwordHash } = visit.signedIn.person;
  if (email === undefined) {
    return (
      <section className="card stack">
        <h2>E-mail and password</h2>
        <p className="muted">There is no address of yours here: a passkey or a provider lets you in.</p>
      </section>
    );
  }
  return (
    <section className="card stack">
      <h2>E-mail and password</h2>
      <p>
        {email}
        {offered.mail && (
          <span className="small muted">
            {emailProvenAt === undefined ? " · not proven to be yours yet" : " · proven to be yours"}
          </span>
        )}
      </p>
      {offered.mail && emailProvenAt === undefined && (
        <Form action="/sign-in/link" visit={visit} next={SECURITY} className="inline">
          <input type="hidden" name="email" value={email} />
          <button type="submit">E-mail me a link that proves it</button>
        </Form>
      )}
      {(adds || passwordHash !== undefined) && (
        <a className="button" href={`/password?${new URLSearchParams({ next: SECURITY })}`}>
          {passwordHash === undefined ? "Set a password" : "Change the password"}
        </a>
      )}
    </section>
  );
}

function OnePasskey(props: { visit: SignedInVisit; passkey: Passkey; now: number }): ReactElement {
  const { visit, passkey, now } = props;
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <li>
      <p>
        <strong>{name}</strong>
      </p>
      <p className="small muted">
        made <Ago at={createdAt} now={now} />
        {lastUsedAt !== undefined && (
          <>
            {" "}
            · last used <Ago at={lastUsedAt} now={now} />
          </>
        )}
      </p>
      <TwoSteps
        action={SECURITY}
        visit={visit}
        fields={{ do: "removePasskey", passkey: id }}
        verb="Remove"
        subject={name}
        consequence="It lets you in no more. Browsers that are signed in stay so, and your device keeps its part until you delete that there."
      />
    </li>
  );
}

function AddPasskey({ visit }: { visit: SignedInVisit }): ReactElement {
  return (
    <>
      <NoPasskeys instead="The other ways in work without." />
      <PasskeyForm action={SECURITY} kind="add" visit={visit}>
        <input type="hidden" name="do" value="addPasskey" />
        <div>
          <label htmlFor="name">A name for the new one</label>
          <input id="name" name="name" maxLength={100} defaultValue="My device" required />
        </div>
        <button type="submit">Add a passkey</button>
      </PasskeyForm>
    </>
  );
}

function Connected(props: { visit: SignedInVisit; identity: Identity; now: number }): ReactElement {
  const { visit, identity, now } = props;
  const { provider, issuer, subject, label, createdAt } = identity;
  return (
    <li>
      <p className="row">
        <strong>{label ?? subject}</strong>
        <span className="small muted">{provider}</span>
      </p>
      <p className="small muted">
        connected <Ago at={createdAt} now={now} />
      </p>
      <TwoSteps
        action={SECURITY}
        visit={visit}
        fields={{ do: "disconnect", issuer, subject }}
        verb="Disconnect"
        subject={label ?? subject}
        consequence="It lets you in no more, until you connect it again. Browsers that are signed in stay so."
      />
    </li>
  );
}

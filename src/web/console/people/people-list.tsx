import type { ReactElement } from "react";
import type { User } from "../../../accounts/model.ts";
import { ROLES } from "../../../accounts/roles.ts";
import { statusOf } from "../../../accounts/users.ts";
import { Form } from "../../layout.tsx";
import { Ago, Until } from "../../time.tsx";
import type { View } from "../frame/section.ts";

export function PeopleList(props: { list: readonly User[]; view: View; managed?: boolean }): ReactElement {
  const { list, view, managed } = props;
  return (
    <ul className="items">
      {list.map((user) => (
        <li key={user.id}>
          <p className="row">
            <strong>{user.email}</strong>
            <span className="small muted">{user.role}</span>
          </p>
          <p className="small muted">
            <Standing user={user} now={view.now} />
          </p>
          {managed && user.id !== view.visit.signedIn.user.id && <Manage user={user} view={view} />}
        </li>
      ))}
    </ul>
  );
}

function Standing({ user, now }: { user: User; now: number }): ReactElement {
  const { invitation, suspendedAt, createdAt } = user;
  if (suspendedAt !== undefined) {
    return (
      <>
        suspended <Ago at={suspendedAt} now={now} />
      </>
    );
  }
  if (invitation && invitation.expiresAt > now) {
    return (
      <>
        invited <Ago at={createdAt} now={now} /> · link ends in <Until at={invitation.expiresAt} now={now} />
      </>
    );
  }
  if (invitation) return <>invited · the link has ended</>;
  return (
    <>
      here since <Ago at={createdAt} now={now} />
    </>
  );
}

function Manage({ user, view }: { user: User; view: View }): ReactElement {
  const status = statusOf(user);
  return (
    <details>
      <summary>
        Change<span className="unseen"> {user.email}</span>
      </summary>
      <div className="stack">
        <Deed view={view} user={user} does="role" label="Change role">
          <select name="role" defaultValue={user.role} aria-label={`Role of ${user.email}`}>
            <RoleOptions />
          </select>
        </Deed>
        {status === "invited" && <Deed view={view} user={user} does="renew" label="Renew the invitation" />}
        {status === "active" && <Deed view={view} user={user} does="link" label="Make a sign-in link" />}
        {status === "active" && (
          <Deed view={view} user={user} does="suspend" label="Suspend">
            <p className="small">Their keys, devices and browsers are out at once, until you resume them.</p>
          </Deed>
        )}
        {status === "suspended" && <Deed view={view} user={user} does="resume" label="Resume" />}
        <Deed
          view={view}
          user={user}
          does="remove"
          label={status === "invited" ? "Withdraw the invitation" : "Remove"}
        >
          {status !== "invited" && <p className="small">Their keys and devices end at once, for good.</p>}
        </Deed>
      </div>
    </details>
  );
}

function Deed(props: {
  view: View;
  user: User;
  does: string;
  label: string;
  children?: ReactElement | false;
}): ReactElement {
  const { view, user, does, label, children } = props;
  return (
    <Form action="/people" visit={view.visit} className="inline">
      <input type="hidden" name="do" value={does} />
      <input type="hidden" name="user" value={user.id} />
      {children}
      <button type="submit">
        {label}
        <span className="unseen"> {user.email}</span>
      </button>
    </Form>
  );
}

export function RoleOptions(): ReactElement[] {
  return ROLES.map((role) => <option key={role}>{role}</option>);
}

import type { ReactElement } from "react";
import type { User } from "../../accounts/model.ts";
import { ROLES, type Role } from "../../accounts/roles.ts";
import { statusOf, type UserStatus, type Users } from "../../accounts/users.ts";
import { allows } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { Form } from "../layout.tsx";
import { Ago, Until } from "../time.tsx";
import type { Section, View } from "./section.ts";

const ON_CARD = 3;
const ON_PAGE = 50;
const STATUSES: readonly UserStatus[] = ["active", "invited", "suspended"];

/** Who is in the account and who is invited, for those who may manage them; a way out for everybody. */
export function peopleSection(users: Users): Section {
  const deeds: Record<string, (view: View, form: URLSearchParams) => Promise<ReactElement | undefined>> = {
    async invite({ visit }, form) {
      const email = form.get("email")?.trim() ?? "";
      const { user, signInLink } = await users.invite(visit.by, { email, role: roleIn(form) });
      return <LinkOnce title={`${user.email} is invited as ${user.role}`} link={signInLink} days={7} />;
    },
    async renew({ visit }, form) {
      const { user, signInLink } = await users.renewInvitation(visit.by, idIn(form));
      return <LinkOnce title={`The invitation of ${user.email} is renewed`} link={signInLink} days={7} />;
    },
    async link({ visit }, form) {
      const link = await users.createSignInLink(visit.by, idIn(form));
      return <LinkOnce title="A link to come in again" link={link} />;
    },
    async role({ visit }, form) {
      await users.update(visit.by, idIn(form), { role: roleIn(form) });
      return undefined;
    },
    async suspend({ visit }, form) {
      await users.update(visit.by, idIn(form), { suspended: true });
      return undefined;
    },
    async resume({ visit }, form) {
      await users.update(visit.by, idIn(form), { suspended: false });
      return undefined;
    },
    async remove({ visit }, form) {
      await users.remove(visit.by, idIn(form));
      return undefined;
    },
  };

  return {
    path: "/people",
    title: "People",
    async card(view) {
      if (!mayManage(view)) return <NotYours />;
      const { items } = await users.list(view.visit.signedIn.account.id, { limit: ON_CARD });
      return <PeopleList list={items} view={view} />;
    },
    async page(view) {
      if (!mayManage(view)) return <NotYours />;
      const asked = questionOf(view);
      const { items, nextCursor } = await users.list(view.visit.signedIn.account.id, asked);
      return (
        <>
          {(items.length > ON_CARD || asked.query || asked.status || asked.cursor) && <Search {...asked} />}
          {items.length === 0 ? (
            <p className="muted">Nobody.</p>
          ) : (
            <PeopleList list={items} view={view} managed />
          )}
          {nextCursor && (
            <a
              href={`/people?${new URLSearchParams({
                ...(asked.query !== undefined && { query: asked.query }),
                ...(asked.status !== undefined && { status: asked.status }),
                after: nextCursor,
              })}`}
            >
              More people
            </a>
          )}
          <Invite view={view} />
        </>
      );
    },
    async act(form, view) {
      if (!mayManage(view))
        throw new Problem("forbidden", "Only an admin or owner of the account does this.");
      const deed = deeds[form.get("do") ?? ""];
      if (!deed) throw new Problem("invalid_request", "This form is out of date. Reload the page.");
      return deed(view, form);
    },
  };
}

function questionOf({ query }: View) {
  const text = query.get("query")?.trim();
  const status = STATUSES.find((each) => each === query.get("status"));
  const cursor = query.get("after") ?? undefined;
  return { limit: ON_PAGE, cursor, ...(text && { query: text }), ...(status && { status }) };
}

function PeopleList(props: { list: readonly User[]; view: View; managed?: boolean }): ReactElement {
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

function Search({ query, status }: { query?: string; status?: UserStatus }): ReactElement {
  return (
    <form method="get" action="/people" className="inline">
      <label htmlFor="query">E-mail</label>
      <input id="query" name="query" type="search" defaultValue={query} />
      <label htmlFor="status">Status</label>
      <select id="status" name="status" defaultValue={status ?? ""}>
        <option value="">any</option>
        {STATUSES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <button type="submit">Search</button>
    </form>
  );
}

function Invite({ view }: { view: View }): ReactElement {
  return (
    <>
      <h2>Invite somebody</h2>
      <Form action="/people" visit={view.visit} className="stack">
        <input type="hidden" name="do" value="invite" />
        <div>
          <label htmlFor="email">E-mail</label>
          <input id="email" name="email" type="email" autoComplete="off" required />
        </div>
        <RoleChoice />
        <button type="submit" className="filled">
          Invite
        </button>
      </Form>
    </>
  );
}

function RoleChoice(): ReactElement {
  return (
    <div>
      <label htmlFor="role">Role</label>
      <select id="role" name="role" defaultValue="member">
        <RoleOptions />
      </select>
    </div>
  );
}

function RoleOptions(): ReactElement[] {
  return ROLES.map((role) => <option key={role}>{role}</option>);
}

/** The only time that the link is seen. */
function LinkOnce(props: { title: string; link: string; days?: number }): ReactElement {
  return (
    <div className="stack" role="status">
      <h2>{props.title}</h2>
      <p>
        Give them this link, which works once, {props.days ? `for ${props.days} days` : "for 15 minutes"}:
      </p>
      <input readOnly value={props.link} aria-label="Link" />
      <a className="button" href="/people">
        Done
      </a>
    </div>
  );
}

function NotYours(): ReactElement {
  return <p className="muted">An admin or owner of the account manages who is in it.</p>;
}

function mayManage({ visit }: View): boolean {
  return allows(visit.signedIn.scopes, "admin");
}

function idIn(form: URLSearchParams): string {
  return form.get("user") ?? "";
}

function roleIn(form: URLSearchParams): Role {
  const role = ROLES.find((each) => each === form.get("role"));
  if (role) return role;
  throw new Problem("invalid_request", `A role is one of ${ROLES.join(", ")}.`);
}

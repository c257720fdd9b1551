import type { ReactElement } from "react";
import { ROLES, type Role } from "../../../accounts/roles.ts";
import type { UserStatus, Users } from "../../../accounts/users.ts";
import { allows } from "../../../contract/caller.ts";
import { Problem } from "../../../contract/problem.ts";
import { Form } from "../../layout.tsx";
import type { Section, View } from "../frame/section.ts";
import { PeopleList, RoleOptions } from "./people-list.tsx";

const ON_CARD = 3;
const ON_PAGE = 50;
const STATUSES: readonly UserStatus[] = ["active", "invited", "suspended"];

/** Who is in the account and who is invited, for those who may manage them; a way out for everybody. */
export function peopleSection(users: Users): Section {
  const deeds: Record<string, (view: View, form: URLSearchParams) => Promise<ReactElement | undefined>> = {
    async invite({ visit }, form) {
      const email = form.get("email")?.trim() ?? "";
      const { user, signInLink } = await users.invite(visit.by, { email, role: roleIn(form) });
      return (
        <LinkOnce
          title={`${user.email} is invited as ${user.role}`}
          to={user.email}
          link={signInLink}
          days={7}
        />
      );
    },
    async renew({ visit }, form) {
      const { user, signInLink } = await users.renewInvitation(visit.by, idIn(form));
      return (
        <LinkOnce
          title={`The invitation of ${user.email} is renewed`}
          to={user.email}
          link={signInLink}
          days={7}
        />
      );
    },
    async link({ visit }, form) {
      const link = await users.createSignInLink(visit.by, idIn(form));
      return <LinkOnce title="A link to come in again" to="them" link={link} />;
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
    group: "Account",
    isFor: mayManage,
    notFor: "An admin or owner of the account manages who is in it.",
    async card(view) {
      const { items } = await users.list(view.visit.signedIn.account.id, { limit: ON_CARD });
      return <PeopleList list={items} view={view} />;
    },
    async page(view) {
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

/** The only time that the link is seen, unless it was mailed. */
function LinkOnce(props: {
  title: string;
  to: string;
  link: string | undefined;
  days?: number;
}): ReactElement {
  return (
    <div className="stack" role="status">
      <h2>{props.title}</h2>
      {props.link === undefined ? (
        <p>A link was mailed to {props.to}. Where it does not arrive, come back and make another.</p>
      ) : (
        <>
          <p>
            Give them this link, which works once, {props.days ? `for ${props.days} days` : "for 15 minutes"}:
          </p>
          <input readOnly value={props.link} aria-label="Link" />
        </>
      )}
      <a className="button" href="/people">
        Done
      </a>
    </div>
  );
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

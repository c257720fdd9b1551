import type { ReactElement } from "react";
import type { User } from "../../../accounts/model.ts";
import { includes } from "../../../accounts/roles.ts";
import { statusOf, type UserSort } from "../../../accounts/users/search.ts";
import { iso } from "../../../system/clock.ts";
import { Form } from "../../form.tsx";
import { Ago, Until } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";

export const PATH = "/people";

/** People to sort, each leading to all of them, with what keeps them out and lets them in again. */
export function PeopleTable(props: { list: readonly User[]; view: View; sort: UserSort }): ReactElement {
  const { list, view, sort } = props;
  return (
    <Table
      view={view}
      path={PATH}
      label="People"
      sort={sort}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Person",
          sort: "email",
          cell: ({ id, email }) => <a href={addressOf(view, PATH, { user: id })}>{email}</a>,
        },
        { title: "Role", sort: "role", largestFirst: true, cell: ({ role }) => role },
        { title: "State", sort: "status", cell: (user) => <Standing user={user} now={view.now} /> },
        {
          title: "Since",
          sort: "createdAt",
          largestFirst: true,
          cell: ({ createdAt }) => iso(createdAt).slice(0, 10),
        },
        { title: "Let in", cell: (user) => <LetIn user={user} view={view} /> },
      ]}
    />
  );
}

/** One press keeps somebody out, another lets them in again; who is invited gets another link. */
export function LetIn({ user, view }: { user: User; view: View }): ReactElement | null {
  if (!isManaged(user, view)) return user.id === view.visit.signedIn.user.id ? <>you</> : null;
  if (user.suspendedAt !== undefined) return <Deed view={view} user={user} does="resume" label="Resume" />;
  if (statusOf(user) === "invited") return <Deed view={view} user={user} does="renew" label="Renew" />;
  return <Deed view={view} user={user} does="suspend" label="Suspend" />;
}

/** Whether who looks may change somebody: their own role includes theirs, and nobody's own is theirs to change. */
export function isManaged(user: User, { visit }: View): boolean {
  const { user: own } = visit.signedIn;
  return user.id !== own.id && !user.operator && includes(own.role, "admin") && includes(own.role, user.role);
}

/** A button that does something about somebody. */
export function Deed(props: {
  view: View;
  user: User;
  does: string;
  label: string;
  children?: ReactElement | false;
}): ReactElement {
  const { view, user, does, label, children } = props;
  return (
    <Form action={sameAddress(view, PATH, {})} visit={view.visit} className="inline">
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

export function Standing({ user, now }: { user: User; now: number }): ReactElement {
  const { invitation, suspendedAt } = user;
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
        invited · link ends in <Until at={invitation.expiresAt} now={now} />
      </>
    );
  }
  return <>{invitation ? "invited · the link has ended" : "active"}</>;
}

/** The newest few, to read. */
export function PeopleList({ list, view }: { list: readonly User[]; view: View }): ReactElement {
  return (
    <ul className="items">
      {list.map((user) => (
        <li key={user.id}>
          <p>
            <strong>{user.email}</strong>
          </p>
          <p className="small muted">
            {user.role} · <Standing user={user} now={view.now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** What a file says of each. */
export const PEOPLE_COLUMNS: FileColumns<User> = {
  user: ({ id }) => id,
  email: ({ email }) => email,
  role: ({ role }) => role,
  state: statusOf,
  createdAt: ({ createdAt }) => iso(createdAt),
  suspendedAt: ({ suspendedAt }) => isoOrNone(suspendedAt),
  invitationEndsAt: ({ invitation }) => isoOrNone(invitation?.expiresAt),
};

import type { ReactElement } from "react";
import type { User } from "../../../accounts/model.ts";
import type { UserSort } from "../../../accounts/users/search.ts";
import { iso } from "../../../system/clock.ts";
import { Ago, Until } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import type { View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { LetIn, PATH } from "./actions.tsx";

/** A sortable table of people, with links to their pages and buttons to suspend and resume them. */
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

/** Lists the newest few, without links. */
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

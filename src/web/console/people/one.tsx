import type { ReactElement } from "react";
import type { User } from "../../../accounts/model.ts";
import { statusOf } from "../../../accounts/users/status.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { Fact } from "../frame/facts.tsx";
import type { View } from "../frame/section.ts";
import { TwoSteps } from "../frame/two-steps.tsx";
import { ActionForm, isManaged, LetIn, PATH } from "./actions.tsx";
import { RoleOptions } from "./forms.tsx";
import { Standing } from "./table.tsx";

/** Shows all about a person in the account, with the actions on them. */
export function OnePerson({ user, view }: { user: User; view: View }): ReactElement {
  const { id, email, role, createdAt } = user;
  return (
    <>
      <div>
        <a className="target" href={addressOf(view, PATH)}>
          All people
        </a>
        <h2>{email}</h2>
      </div>
      <dl className="facts">
        <Fact name="Role">{role}</Fact>
        <Fact name="State">
          <Standing user={user} now={view.now} />
        </Fact>
        <Fact name="Since">
          <Ago at={createdAt} now={view.now} />
        </Fact>
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
      </dl>
      <p className="inline">
        <a className="button" href={addressOf(view, "/usage", { user: id, of: "all", by: "key" })}>
          Their usage
        </a>
        <a className="button" href={addressOf(view, "/audit", { actor: id })}>
          What they did
        </a>
      </p>
      {isManaged(user, view) && <Manage user={user} view={view} />}
    </>
  );
}

function Manage({ user, view }: { user: User; view: View }): ReactElement {
  const { id, email, role } = user;
  const status = statusOf(user);
  return (
    <>
      <h2>Change their role</h2>
      <ActionForm view={view} user={user} does="role" label="Change role">
        <select name="role" defaultValue={role} aria-label={`Role of ${email}`}>
          <RoleOptions view={view} />
        </select>
      </ActionForm>
      <p className="small muted">
        Keys and devices of theirs that could do more than the new role end at once.
      </p>
      <h2>{status === "invited" ? "Their invitation" : "Let them in"}</h2>
      {status === "active" && (
        <>
          <ActionForm view={view} user={user} does="link" label="Make a sign-in link" />
          <p className="small muted">For who forgot how to sign in. It works once, for 15 minutes.</p>
        </>
      )}
      <LetIn user={user} view={view} />
      {status === "active" && (
        <p className="small muted">
          Who is suspended comes in no more until you resume them. Their keys and devices end at once, for
          good.
        </p>
      )}
      <TwoSteps
        action={addressOf(view, PATH)}
        visit={view.visit}
        fields={{ do: "remove", user: id }}
        subject={email}
        consequence={
          status === "invited"
            ? "The link that they were sent is dead then."
            : "They leave the account, and their keys and devices end at once, for good."
        }
        verb={status === "invited" ? "Withdraw the invitation" : "Remove"}
      />
    </>
  );
}

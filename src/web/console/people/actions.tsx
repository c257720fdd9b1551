import type { ReactElement } from "react";
import type { User } from "../../../accounts/model.ts";
import { includes } from "../../../accounts/roles.ts";
import { statusOf } from "../../../accounts/users/status.ts";
import { Form } from "../../form.tsx";
import { sameAddress } from "../frame/address.ts";
import type { View } from "../frame/section.ts";

export const PATH = "/people";

/** Shows the button that suspends a person, resumes them or renews their invitation. */
export function LetIn({ user, view }: { user: User; view: View }): ReactElement | null {
  if (!isManaged(user, view)) return user.id === view.visit.signedIn.user.id ? <>you</> : null;
  if (user.suspendedAt !== undefined)
    return <ActionForm view={view} user={user} does="resume" label="Resume" />;
  if (statusOf(user) === "invited") return <ActionForm view={view} user={user} does="renew" label="Renew" />;
  return <ActionForm view={view} user={user} does="suspend" label="Suspend" />;
}

/**
 * Whether the viewer may change a user: the viewer's role must include the user's, and nobody may change themselves.
 */
export function isManaged(user: User, { visit }: View): boolean {
  const { user: own } = visit.signedIn;
  return user.id !== own.id && !user.operator && includes(own.role, "admin") && includes(own.role, user.role);
}

/** A button that performs an action on a user. */
export function ActionForm(props: {
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

import type { ReactElement } from "react";
import { Form } from "../form.tsx";
import type { SignedInVisit } from "../visit.ts";

/** Shows who decides, and how to switch to another user or account. */
export function WhoDecides({ visit, next }: { visit: SignedInVisit; next: string }): ReactElement {
  const { user, account, person } = visit.signedIn;
  return (
    <Form action="/sign-out" visit={visit} next={next} className="row small muted">
      <span>
        Signed in as {user.email}, account {account.name}
      </span>
      {person.memberships.length > 1 && (
        <a className="target" href={`/accounts?${new URLSearchParams({ next })}`}>
          Another account
        </a>
      )}
      <button type="submit" className="link">
        Switch
      </button>
    </Form>
  );
}

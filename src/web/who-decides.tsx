import type { ReactElement } from "react";
import { Form } from "./layout.tsx";
import type { SignedInVisit } from "./visit.ts";

/** As whom one decides, and how to do it as another. */
export function WhoDecides({ visit, next }: { visit: SignedInVisit; next: string }): ReactElement {
  const { user, account } = visit.signedIn;
  return (
    <Form action="/sign-out" visit={visit} next={next} className="row small muted">
      <span>
        Signed in as {user.email}, account {account.name}
      </span>
      <button type="submit" className="link">
        Switch
      </button>
    </Form>
  );
}

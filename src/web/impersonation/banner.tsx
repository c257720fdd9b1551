import type { ReactElement } from "react";
import { iso } from "../../system/clock.ts";
import { Form } from "../form.tsx";
import type { SignedInVisit } from "../visit.ts";

export const START_PATH = "/sign-in-as";
export const END_PATH = "/sign-in-as/end";

/** Shown on every page to an operator who impersonates a user: whom, until when, and the way back. */
export function ImpersonationBanner({ visit }: { visit: SignedInVisit }): ReactElement {
  const { user, account, session } = visit.signedIn;
  const until = iso(session.impersonates?.endsAt ?? 0).slice(11, 16);
  return (
    <aside className="impersonation row" aria-label="Signed in as somebody else">
      <p>
        You see what <strong>{user.email}</strong> sees in <strong>{account.name}</strong>, until {until} UTC,
        and change nothing.
      </p>
      <Form action={END_PATH} visit={visit}>
        <button type="submit">Be yourself again</button>
      </Form>
    </aside>
  );
}

import type { ReactElement } from "react";
import { Page } from "../layout.tsx";
import type { SignedInVisit } from "../visit.ts";

/** Says that a page or form is not available to an operator who impersonates a user. */
export function OnlyToLookPage({ visit }: { visit: SignedInVisit }): ReactElement {
  const { user, operator } = visit.signedIn;
  return (
    <Page title="Only to look" visit={visit} width="narrow">
      <div className="card stack">
        <h1>{operator ? "You only look here" : "You looked as somebody else, and that is over"}</h1>
        <p>
          {operator
            ? `Nothing was done. Who is signed in as ${user.email} to see what they see changes nothing, signs in no device and lets in no application.`
            : "Nothing was done. You are yourself again as soon as you open a page."}
        </p>
        <a className="button" href="/">
          Back to the overview
        </a>
      </div>
    </Page>
  );
}

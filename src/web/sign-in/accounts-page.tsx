import type { ReactElement } from "react";
import type { Account, User } from "../../accounts/model.ts";
import { Form } from "../form.tsx";
import { Page } from "../layout.tsx";
import type { SignedInVisit } from "../visit.ts";

/** Lists a person's accounts, with a button to switch to each. */
export function AccountsPage(props: {
  visit: SignedInVisit;
  list: readonly { account: Account; user: User }[];
  next: string;
}): ReactElement {
  const { visit, list, next } = props;
  return (
    <Page title="Accounts" visit={visit} width="narrow">
      <h1>Your accounts</h1>
      <ul className="items">
        {list.map(({ account, user }) => (
          <li key={account.id}>
            <p className="row">
              <strong>{account.name}</strong>
              <span className="small muted">{user.role}</span>
            </p>
            {account.id === visit.signedIn.account.id ? (
              <p className="small muted" aria-current="true">
                You are here.
              </p>
            ) : (
              <Form action="/accounts" visit={visit} next={next}>
                <input type="hidden" name="account" value={account.id} />
                <button type="submit">Switch to {account.name}</button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Page>
  );
}

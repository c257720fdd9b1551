import type { ReactElement } from "react";
import { Form } from "../form.tsx";
import { TOKEN_FIELD } from "../forms.ts";
import { Page } from "../layout.tsx";
import type { Visit } from "../visit.ts";

/**
 * Answers a form that was sent after its session had ended: keeps what it holds while people sign in beside it. Sent
 * again, it appears on its page as it was.
 */
export function SignedOutPage({
  visit,
  action,
  form,
}: {
  visit: Visit;
  action: string;
  form: URLSearchParams;
}): ReactElement {
  return (
    <Page title="Signed out" width="narrow">
      <div className="card stack" role="alert">
        <h1>You were signed out, and nothing was done</h1>
        <p>What you typed is kept on this page. Sign in in another tab, come back, and go on.</p>
        <a className="button filled" href="/sign-in" target="_blank" rel="noreferrer">
          Sign in in another tab
        </a>
        <Form action={action} visit={visit} className="stack">
          {[...form]
            .filter(([name]) => name !== TOKEN_FIELD)
            .map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
          <button type="submit">Go on</button>
        </Form>
      </div>
    </Page>
  );
}

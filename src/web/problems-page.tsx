import type { ReactElement } from "react";
import { PROBLEMS } from "../contract/problem.ts";
import { Page } from "./layout.tsx";

/** Returns the page that the `type` of every problem links to, with its remedy. */
export function ProblemsPage(): ReactElement {
  return (
    <Page title="Problems" width="medium">
      <h1>Problems</h1>
      {Object.entries(PROBLEMS).map(([error, { status, title, remedy }]) => (
        <section key={error} id={error} className="card stack">
          <h2>
            <code>{error}</code>
          </h2>
          <p>
            {status}. {title}.
          </p>
          <p>
            {remedy
              .split("`")
              .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
          </p>
        </section>
      ))}
    </Page>
  );
}

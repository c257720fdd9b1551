import type { Problem } from "../contract/problem.ts";
import { htmlOf, Page } from "./layout.tsx";

/**
 * A problem as a whole page, for a browser. `requestId` is shown where the reader may have to quote it.
 */
export function errorPage(problem: Problem, requestId?: string): string {
  return htmlOf(
    <Page title={problem.title} width="narrow">
      <div className="card stack">
        <h1>{problem.title}</h1>
        <p>{problem.detail}</p>
        {requestId && problem.status >= 500 && (
          <p className="muted small">
            Request <code>{requestId}</code>
          </p>
        )}
        <p>
          <a href="/">Start page</a>
        </p>
      </div>
    </Page>,
  );
}

import type { Problem } from "../contract/problem.ts";
import { htmlOf, Page } from "./layout.tsx";
import { isImpersonated, type Visit } from "./visit.ts";

/**
 * A problem as a whole page, for a browser. `requestId` is shown where the reader may have to quote it, and who looks
 * where that is an operator as somebody else.
 */
export function errorPage(problem: Problem, requestId?: string, visit?: Visit): string {
  return htmlOf(
    <Page title={problem.title} width="narrow" {...(visit && isImpersonated(visit) && { visit })}>
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

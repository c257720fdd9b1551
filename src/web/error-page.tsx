import type { Problem } from "../contract/problem.ts";
import { htmlOf, Page } from "./layout.tsx";
import { isImpersonated, type Visit } from "./visit.ts";

/**
 * Returns a problem as a page. `requestId` is shown for server errors, so that the reader can quote it. `visit` only
 * matters for an operator who impersonates a user.
 */
export function errorPage(
  problem: Problem,
  { serviceName, requestId, visit }: { serviceName: string; requestId?: string; visit?: Visit },
): string {
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
    serviceName,
  );
}

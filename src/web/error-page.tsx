import type { ReactElement } from "react";
import type { Problem } from "../contract/problem.ts";
import { htmlOf, Page } from "./layout.tsx";
import { type PageAnswer, page } from "./page.ts";
import { isImpersonated, type Visit } from "./visit.ts";

/** Returns a problem as a page. `requestId` is shown for server errors, so that the reader can quote it. */
export function errorPage(
  problem: Problem,
  { serviceName, requestId }: { serviceName: string; requestId: string },
): string {
  return htmlOf(<ProblemPage problem={problem} requestId={requestId} />, serviceName);
}

/** Returns the answer with a problem as a page. `visit` only matters for an operator who impersonates a user. */
export function problemPage(problem: Problem, visit: Visit | undefined): PageAnswer {
  return page(problem.status, <ProblemPage problem={problem} visit={visit} />, problem.extras.headers);
}

function ProblemPage({
  problem: { title, detail, status },
  requestId,
  visit,
}: {
  problem: Problem;
  requestId?: string;
  visit?: Visit | undefined;
}): ReactElement {
  return (
    <Page title={title} width="narrow" {...(visit && isImpersonated(visit) && { visit })}>
      <div className="card stack">
        <h1>{title}</h1>
        <p>{detail}</p>
        {requestId && status >= 500 && (
          <p className="muted small">
            Request <code>{requestId}</code>
          </p>
        )}
        <p>
          <a href="/">Start page</a>
        </p>
      </div>
    </Page>
  );
}

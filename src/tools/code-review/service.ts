import { type Handlers, Reply } from "../../contract/endpoint.ts";
import type { codeReviewContract } from "./contract.ts";
import type { reviewJob } from "./review-job.ts";

const SARIF = "application/sarif+json";

/** Creates the handlers of the code review tool. They store nothing. */
export function createCodeReview(): Handlers<typeof codeReviewContract> {
  return {
    async review(work, { accept }) {
      const sarif = asksForSarif(accept);
      const answer = await work.run<typeof reviewJob>({ context: { sarif } });
      return Reply.json(answer, sarif ? { "Content-Type": SARIF } : {});
    },
  };
}

/** Whether an `Accept` header names SARIF without `q=0` (RFC 9110 §12.5.1), and before any `application/json`. */
function asksForSarif(accept = ""): boolean {
  const ranges = accept.split(",").map((range) => range.trim().toLowerCase());
  const named = ranges
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => range.split(";")[0]?.trim());
  const sarif = named.indexOf(SARIF);
  const json = named.indexOf("application/json");
  return sarif >= 0 && (json < 0 || sarif < json);
}

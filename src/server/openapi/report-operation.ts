import * as z from "zod";
import { named } from "../../contract/components.ts";
import type { ProblemCode } from "../../contract/problem.ts";
import { ANYWHERE, WITH_BODY } from "../../contract/problems-of.ts";
import type { Operation } from "./operation.ts";

const ReportReceipt = z.object({ id: z.string().optional().describe("The event's, where it has one") });

named({ ReportReceipt });

const REPORT_PROBLEMS = [
  ...ANYWHERE,
  ...WITH_BODY,
  "forbidden",
  "not_found",
  "conflict",
  "quota_exceeded",
] as const satisfies readonly ProblemCode[];

/** Returns the operation to which Sentry's SDKs report errors. */
export function reportOperation(kind: "envelope" | "store", requestsPerMinute: number): Operation {
  return {
    id: `observability_report_${kind}`,
    summary:
      kind === "envelope"
        ? "Report errors as Sentry's SDKs do, in an envelope"
        : "Report one error as Sentry's older SDKs do",
    description: `With the key of the project's DSN, in \`X-Sentry-Auth\`, in the query or in the envelope. At most 20 MiB,
32 MiB unpacked, 2 MiB of them the event, which may hold 100,000 values in 64 levels; ${requestsPerMinute} reports a minute for
each project, and ten times that for an account. \`X-Sentry-Rate-Limits\` tells SDKs what is not kept, and on 429 how long to keep
silent.`,
    tag: "observability",
    scope: "public",
    parameters: [
      {
        in: "path",
        name: "number",
        required: true,
        description: "The project's, as the DSN has it",
        schema: { type: "string", pattern: "^\\d{1,20}$" },
      },
      {
        in: "query",
        name: "sentry_key",
        required: false,
        description: "The DSN's key",
        schema: { type: "string" },
      },
    ],
    body: {
      required: true,
      content:
        kind === "envelope"
          ? { "application/x-sentry-envelope": { type: "string", format: "binary" } }
          : { "application/json": { type: "object" } },
    },
    answers: {
      200: {
        description: "Recorded.",
        headers: ["Access-Control-Allow-Origin"],
        content: { "application/json": ReportReceipt },
      },
    },
    problems: REPORT_PROBLEMS,
  };
}

import * as z from "zod";
import { named } from "../../contract/components.ts";
import { PROBLEMS } from "../../contract/problem.ts";
import { ANYWHERE } from "../../contract/problems-of.ts";
import type { Content, Operation } from "./operation.ts";

const Health = z.object({ status: z.literal("ok") });
const Readiness = z
  .object({
    status: z.enum(["ready", "degraded"]).describe("`degraded`: not all of what follows"),
    read: z.boolean(),
    write: z.boolean(),
    compute: z.boolean(),
    growth: z.boolean().describe("Whether the store takes what makes it larger"),
  })
  .describe("What the service can do now");

named({ Health, Readiness });

function shown(
  name: string,
  summary: string,
  content: Content["content"],
  more: Partial<Operation> = {},
): Operation {
  return {
    id: `service_${name}`,
    summary,
    tag: "service",
    scope: "public",
    answers: { 200: { description: "Done.", headers: ["Cache-Control"], content } },
    problems: ANYWHERE,
    ...more,
  };
}

/** The problems of requests that are not counted, and so never rate limited. */
const UNCOUNTED = ANYWHERE.filter((code) => code !== "rate_limited");

export const SERVICE_OPERATIONS = {
  health: shown(
    "health",
    "Tell whether the process is alive",
    { "application/json": Health },
    { problems: UNCOUNTED },
  ),
  ready: shown(
    "ready",
    "Tell what the service can do",
    { "application/json": Readiness },
    {
      answers: {
        200: { description: "It reads and writes.", content: { "application/json": Readiness } },
        503: {
          description: "It does not.",
          headers: ["Retry-After"],
          content: { "application/json": Readiness },
        },
      },
      problems: UNCOUNTED.filter((code) => PROBLEMS[code].status !== 503),
    },
  ),
  metrics: shown(
    "metrics",
    "Show metrics in Prometheus's text format",
    { "text/plain": { type: "string" } },
    {
      description:
        "For an operator's credential, or without one from this machine itself; else there is nothing here.",
      problems: [...ANYWHERE, "not_found", "outside_binding", "forbidden"],
    },
  ),
  openapi: shown("openapi", "Show this document", { "application/json": { type: "object" } }),
} satisfies Record<string, Operation>;

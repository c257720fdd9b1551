import { z } from "zod";
import { named } from "../../contract/components.ts";
import { PROBLEMS, type ProblemCode } from "../../contract/problem.ts";
import { ANYWHERE, WITH_BODY, WITH_CREDENTIAL } from "../../contract/problems-of.ts";
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
const ReportReceipt = z.object({ id: z.string().optional().describe("The event's, where it has one") });

const RpcId = z.union([z.string(), z.int()]);
export const JsonRpcMessage = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: RpcId.optional().describe("Left out of notifications"),
    method: z.string().describe("Such as `tools/list` or `tools/call`"),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .describe("One message of the Model Context Protocol");
export const JsonRpcResponse = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: RpcId.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .describe("Either `result` or `error`");

named({ Health, Readiness, ReportReceipt, JsonRpcMessage, JsonRpcResponse });

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

/** What counts for nothing is never refused for a limit. */
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
      problems: [...ANYWHERE, "not_found"],
    },
  ),
  openapi: shown("openapi", "Show this document", { "application/json": { type: "object" } }),
} satisfies Record<string, Operation>;

export const MCP_OPERATION: Operation = {
  id: "mcp",
  summary: "Speak the Model Context Protocol (streamable HTTP, without sessions)",
  tag: "mcp",
  scope: "read",
  parameters: [
    {
      in: "query",
      name: "tools",
      required: false,
      description: "Tools or areas with commas between, `default` or `all`",
      schema: { type: "string" },
    },
    { $ref: "#/components/parameters/project" },
    { $ref: "#/components/parameters/idempotencyKey" },
  ],
  body: {
    required: true,
    content: { "application/json": JsonRpcMessage },
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  },
  answers: {
    200: {
      description:
        "The answer; as server-sent events where something is said before it, and for `subscriptions/listen`.",
      content: { "application/json": JsonRpcResponse, "text/event-stream": undefined },
    },
    202: { description: "A notification was taken." },
    404: { description: "There is no such method.", content: { "application/json": JsonRpcResponse } },
  },
  problems: [],
  rpcProblems: [...ANYWHERE, ...WITH_CREDENTIAL, ...WITH_BODY],
};

const REPORT_PROBLEMS = [
  ...ANYWHERE,
  ...WITH_BODY,
  "forbidden",
  "not_found",
  "conflict",
  "quota_exceeded",
] as const satisfies readonly ProblemCode[];

/** Where Sentry's SDKs report errors. */
export function reportOperation(kind: "envelope" | "store", requestsPerMinute: number): Operation {
  return {
    id: `observability_report_${kind}`,
    summary:
      kind === "envelope"
        ? "Report errors as Sentry's SDKs do, in an envelope"
        : "Report one error as Sentry's older SDKs do",
    description: `With the key of the project's DSN, in \`X-Sentry-Auth\`, in the query or in the envelope. At most 20 MiB,
32 MiB unpacked, 2 MiB of them the event, which may hold 100,000 values in 64 levels; ${requestsPerMinute} reports a minute for
each project, and ten times that for an account. \`X-Sentry-Rate-Limits\` on 429 tells the SDKs how long to keep silent.`,
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

import { z } from "zod";
import { named } from "../../contract/components.ts";
import { At, endpoint, listOf, Page } from "../../contract/endpoint.ts";

export const SOURCES = ["server", "client"] as const;
export type Source = (typeof SOURCES)[number];

/** An environment for programs: what they are started with. */
const Environment = z.record(z.string(), z.string());

export const OpenTelemetry = z.object({
  enabled: z.boolean().describe("False where the operator named no OTLP endpoint"),
  endpoint: z.string().nullable(),
  protocol: z.enum(["http/protobuf", "grpc"]),
  serviceName: z.string(),
  resourceAttributes: Environment,
  sampler: z.string(),
  environment: Environment.describe("What a stock OpenTelemetry SDK reads; empty where nothing is enabled"),
});
export type OpenTelemetry = z.infer<typeof OpenTelemetry>;

export const ErrorTracking = z.object({
  enabled: z.boolean(),
  dsn: z.string().describe("For any Sentry SDK. Public: it reports to this project and opens nothing"),
  environment: z.string(),
  release: z.string().nullable(),
  sampleRate: z.number().min(0).max(1),
});
export type ErrorTracking = z.infer<typeof ErrorTracking>;

export const ErrorGroup = z.object({
  fingerprint: z.string(),
  type: z.string(),
  message: z.string(),
  count: z.int().positive(),
  firstSeenAt: At,
  lastSeenAt: At,
  source: z.enum(SOURCES),
  route: z.string().optional(),
  stack: z.string().optional(),
  traceId: z.string().optional(),
});
export type ErrorGroup = z.infer<typeof ErrorGroup>;

named({ OpenTelemetry, ErrorTracking, ErrorGroup });

const ROOT = "/api/v1/tools/observability";

export const observabilityContract = {
  config: endpoint({
    name: "observability.config",
    method: "GET",
    path: `${ROOT}/config`,
    summary: "Show how programs of this project export telemetry and report errors",
    description: `The project and its \`dsn\` are made when they are first asked for, and are the same afterwards.`,
    scope: "read",
    errors: ["conflict", "quota_exceeded"],
    input: z.strictObject({}),
    output: z.object({ openTelemetry: OpenTelemetry, errorTracking: ErrorTracking }),
  }),

  errors: endpoint({
    name: "observability.errors",
    method: "GET",
    path: `${ROOT}/errors`,
    summary: "List recent errors, grouped, the one seen last first",
    description: `What clients reported to this project's DSN, and where this server failed to answer a request
of the project. Secrets are masked. An error is forgotten 30 days after it was last seen; a project keeps 1,000.
With the scope \`operator\`: also what failed for nobody in particular, and the stacks of the server's own errors.`,
    scope: "read",
    input: z.strictObject({
      since: z
        .union([z.iso.datetime({ offset: true }), z.iso.date()], {
          error: "must be a date or an ISO 8601 time with an offset",
        })
        .transform((text) => Date.parse(text))
        .optional()
        .describe("Errors seen at this instant or later"),
      ...Page,
    }),
    output: listOf(ErrorGroup),
  }),
};

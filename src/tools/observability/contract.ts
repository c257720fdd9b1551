import * as z from "zod";
import { named } from "../../contract/components.ts";
import { endpoint } from "../../contract/endpoint.ts";
import { groupsContract } from "./groups/contract.ts";
import { sourceMapsContract } from "./source-maps/contract.ts";

/** Environment variables that programs are started with. */
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

const ErrorTracking = z.object({
  enabled: z.boolean(),
  dsn: z.string().describe("For any Sentry SDK. Public: it reports to this project and opens nothing"),
  environment: z.string(),
  release: z.string().nullable(),
  sampleRate: z.number().min(0).max(1),
});
export type ErrorTracking = z.infer<typeof ErrorTracking>;

named({ OpenTelemetry, ErrorTracking });

const ROOT = "/api/v1/tools/observability";

export const observabilityContract = {
  config: endpoint({
    name: "observability.config",
    method: "GET",
    path: `${ROOT}/config`,
    summary: "Show how programs of this project export telemetry and report errors",
    description: `The first request makes the project and its \`dsn\`, which stay the same.`,
    scope: "read",
    errors: ["conflict", "quota_exceeded", "project_archived"],
    input: z.strictObject({}),
    output: z.object({ openTelemetry: OpenTelemetry, errorTracking: ErrorTracking }),
  }),

  ...groupsContract,
  ...sourceMapsContract,
};

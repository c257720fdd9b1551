import type { OpenTelemetry } from "./contract.ts";

/** The port that OTLP over gRPC has by convention; over HTTP it is 4318. */
const GRPC_PORT = "4317";

/** Returns the configuration for exporters of a project's telemetry. */
export function openTelemetryOf(
  endpoint: string | undefined,
  { accountId, projectId }: { accountId: string; projectId: string },
): OpenTelemetry {
  const protocol = endpoint !== undefined && new URL(endpoint).port === GRPC_PORT ? "grpc" : "http/protobuf";
  const resourceAttributes = { "toolplane.account.id": accountId, "toolplane.project.id": projectId };
  const sampler = "parentbased_always_on";
  return {
    enabled: endpoint !== undefined,
    endpoint: endpoint ?? null,
    protocol,
    serviceName: projectId,
    resourceAttributes,
    sampler,
    environment:
      endpoint === undefined
        ? {}
        : {
            OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
            OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
            OTEL_SERVICE_NAME: projectId,
            OTEL_RESOURCE_ATTRIBUTES: inBaggageForm(resourceAttributes),
            OTEL_TRACES_SAMPLER: sampler,
          },
  };
}

/**
 * Formats attributes as W3C Baggage, as the specification of resources requires: `a=b,c=d`, with
 * percent-encoded values.
 */
function inBaggageForm(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(",");
}

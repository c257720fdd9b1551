import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Attributes,
  type Context,
  createTraceState,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  ValueType,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { inTime } from "../../system/in-time.ts";
import { type Log, maskCredentials } from "../../system/log.ts";
import { packageVersion } from "../../system/package.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Telemetry } from "./telemetry.ts";
import { remoteParentOf } from "./traceparent.ts";

const CLOSE_MS = 1500;
const NAME = "toolplane";
const METHODS = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE)$/;
/** https://opentelemetry.io/docs/specs/semconv/http/http-metrics/, in seconds. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/**
 * Starts the export to an OTLP receiver over HTTP. The SDK reads further settings from the environment:
 * OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, OTEL_BSP_*.
 *
 * @param endpoint the value of OTEL_EXPORTER_OTLP_ENDPOINT
 */
export function startTelemetry(endpoint: string, { clock, log }: { clock: Clock; log: Log }): Telemetry {
  const base = endpoint.replace(/\/+$/, "");
  logFailures(log);
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": NAME, "service.version": packageVersion }))
    .merge(detectResources({ detectors: [envDetector] }));
  const traces = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces` }))],
  });
  const exporter = new OTLPMetricExporter({ url: `${base}/v1/metrics` });
  const metrics = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter })] });
  const tracer = traces.getTracer(NAME, packageVersion);
  const durations = metrics.getMeter(NAME, packageVersion).createHistogram("http.server.request.duration", {
    description: "Duration of HTTP server requests.",
    unit: "s",
    valueType: ValueType.DOUBLE,
    advice: { explicitBucketBoundaries: BOUNDARIES },
  });

  return {
    traced: (kernel) => (req, res, next) => {
      if (req.exchange) return kernel(req, res, next);
      const startedAt = clock.monotonic();
      const span = tracer.startSpan(methodOf(req), { kind: SpanKind.SERVER }, contextOf(req));
      const answered = kernel(req, res, next);
      // The kernel sets it before it returns.
      const exchange = req.exchange as Exchange | undefined;
      if (exchange) exchange.traceId = span.spanContext().traceId;
      res.once("close", () => {
        const route = exchange?.template;
        const attributes = measured(req, res, route);
        durations.record((clock.monotonic() - startedAt) / 1000, attributes);
        end(span, { ...attributes, ...told(req) }, route);
      });
      return answered;
    },
    async close() {
      const late = () =>
        log.warn({ endpoint: maskCredentials(base) }, "OpenTelemetry: nobody took what was left");
      await inTime(Promise.allSettled([traces.shutdown(), metrics.shutdown()]), {
        clock,
        ms: CLOSE_MS,
        late,
      });
    },
  };
}

/** Returns a context whose parent is the client's span, so that its trace continues. */
function contextOf(req: IncomingMessage): Context {
  const parent = remoteParentOf(req);
  if (!parent) return ROOT_CONTEXT;
  const { tracestate } = req.headers;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.traceId,
    spanId: parent.spanId,
    traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(String(tracestate)) }),
  });
}

function methodOf({ method = "" }: IncomingMessage): string {
  return METHODS.test(method) ? method : "HTTP";
}

/** Returns attributes of low cardinality: https://opentelemetry.io/docs/specs/semconv/http/http-metrics/ */
function measured(req: IncomingMessage, res: ServerResponse, route: string | undefined): Attributes {
  const { method = "" } = req;
  return {
    "http.request.method": METHODS.test(method) ? method : "_OTHER",
    "url.scheme": "http",
    "network.protocol.version": req.httpVersion,
    ...defined({ "http.route": route }),
    ...(res.headersSent && { "http.response.status_code": res.statusCode }),
    ...(res.headersSent && res.statusCode >= 500 && { "error.type": String(res.statusCode) }),
    ...(!res.writableFinished && { "error.type": "client_disconnected" }),
  };
}

/** Returns attributes for spans only. They leave out the query, which can hold codes and links. */
function told(req: IncomingMessage): Attributes {
  const { exchange, headers } = req;
  return {
    "url.path": maskCredentials(exchange?.path ?? ""),
    ...(headers["user-agent"] !== undefined && { "user_agent.original": headers["user-agent"] }),
    ...(exchange && { "toolplane.request.id": exchange.requestId }),
  };
}

function end(span: Span, attributes: Attributes, route: string | undefined): void {
  span.setAttributes(attributes);
  if (route !== undefined) span.updateName(`${attributes["http.request.method"]} ${route}`);
  if (Number(attributes["http.response.status_code"]) >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Logs the SDK's errors and warnings, such as an unreachable receiver, as warnings. */
function logFailures(log: Log): void {
  const warn = (message: string, ...more: unknown[]) =>
    log.warn({ telemetry: [message, ...more] }, "OpenTelemetry");
  const quiet = () => {};
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Outcome } from "../../alerts/attempt.ts";
import type { LetterOutcome } from "../../mail/post.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { packageVersion } from "../../system/package.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { addDeliveryMetrics, type DeliveryFigures } from "./delivery-metrics.ts";
import { gauge } from "./gauge.ts";
import { addStoreMetrics } from "./store-metrics.ts";

/** The metrics at `/metrics`, in Prometheus's text format. No label takes a value that a client can choose. */
export interface Metrics {
  answered(exchange: Exchange, status: number): void;
  /** Counts a request answered with an error, and the limit that refused it, if one did. */
  problem(error: string, window: string | undefined): void;
  /** Counts a write that a bound refused. */
  refused(bound: string): void;
  /** Counts an entry of the audit log. */
  audited(entry: { action: string; outcome: string }): void;
  /** Counts uses of a type. */
  counted(type: string, count: number): void;
  /** Counts an attempt to send a letter by its outcome. */
  lettered(outcome: LetterOutcome): void;
  /** Counts an attempt to send an alert to a webhook by its outcome. */
  attempted(outcome: Outcome): void;
  /** Adds gauges of what waits to be sent, measured at each scrape. Without mail, the letters' are 0. */
  watchDelivery(figures: DeliveryFigures): void;
  /** Counts and times a call of an upstream's tool. */
  called(upstream: string, outcome: string, ms: number): void;
  /** Adds a gauge of which upstreams are reachable, measured at each scrape. */
  watchUpstreams(isUp: () => Iterable<[upstream: string, isUp: boolean]>): void;
  /** Adds gauges of the work in progress, measured at each scrape. */
  watchWork(work: {
    compute: () => { waiting: number; running: number; workers: number };
    streams: () => number;
  }): void;
  text(): Promise<string>;
  contentType: string;
}

/** Buckets for requests, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Buckets for tool calls, which may take long, in seconds. */
const CALL_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

export function createMetrics({ clock, store }: { clock: Clock; store: Store }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addStoreMetrics(registry, store);
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `toolplane_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name: `toolplane_${name}`, help, buckets, labelNames, registers });

  gauge(registry, "build_info", "1, of this version on this version of Node.", ["version", "node"], () => [
    [{ version: packageVersion, node: process.versions.node }, 1],
  ]);
  const requests = counter("http_requests_total", "Requests answered.", "endpoint", "status");
  const durations = histogram(
    "http_request_duration_seconds",
    "Time from a request's headers to the end of its answer.",
    BUCKETS,
    "endpoint",
  );
  const problems = counter(
    "problems_total",
    "Requests that were answered with an error, by its code.",
    "error",
  );
  const limited = counter("rate_limit_refusals_total", "Requests refused by a limit, by which.", "window");
  const storage = counter(
    "storage_refusals_total",
    "Requests that would have stored more than a bound allows.",
    "bound",
  );
  const entries = counter("audit_entries_total", "What was done and what was refused.", "action", "outcome");
  const uses = counter("usage_total", "Uses that were counted, by type.", "type");
  const letters = counter("letters_total", "Attempts to send a letter, by what they came to.", "outcome");
  const attempts = counter(
    "webhook_attempts_total",
    "Attempts to tell a webhook, by what they came to.",
    "outcome",
  );
  // Start at 0, so that the first failure shows as an increase: alerts wait for these (deploy/prometheus/rules.yml).
  problems.inc({ error: "store_unavailable" }, 0);
  entries.inc({ action: "session.started", outcome: "refused" }, 0);
  for (const outcome of ["sent", "retried", "refused", "failed"]) letters.inc({ outcome }, 0);
  for (const outcome of ["delivered", "failed", "gone"]) attempts.inc({ outcome }, 0);
  const calls = counter(
    "mcp_calls_total",
    "Calls of tools of MCP servers behind this one.",
    "upstream",
    "outcome",
  );
  const callDurations = histogram(
    "mcp_call_duration_seconds",
    "Time from a call of a tool to the end of its answer.",
    CALL_BUCKETS,
    "upstream",
  );

  /** Caches labelled metrics, since a label lookup costs more than the count itself. */
  const series = new Map<string, { count(): void; observe(seconds: number): void }>();
  return {
    answered(exchange, status) {
      const key = `${exchange.endpoint} ${status}`;
      let found = series.get(key);
      if (!found) {
        const ofStatus = requests.labels(exchange.endpoint, String(status));
        const ofEndpoint = durations.labels(exchange.endpoint);
        found = { count: () => ofStatus.inc(), observe: (seconds) => ofEndpoint.observe(seconds) };
        series.set(key, found);
      }
      found.count();
      found.observe((clock.monotonic() - exchange.startedAt) / 1000);
    },
    problem(error, window) {
      problems.inc({ error });
      if (window !== undefined) limited.inc({ window });
    },
    refused: (bound) => storage.inc({ bound }),
    audited: ({ action, outcome }) => entries.inc({ action, outcome }),
    counted: (type, count) => uses.inc({ type }, count),
    called(upstream, outcome, ms) {
      calls.inc({ upstream, outcome });
      callDurations.observe({ upstream }, ms / 1000);
    },
    lettered: (outcome) => letters.inc({ outcome }),
    attempted: (outcome) => attempts.inc({ outcome }),
    watchDelivery: (figures) => addDeliveryMetrics(registry, figures),
    watchUpstreams(isUp) {
      gauge(
        registry,
        "mcp_upstream_up",
        "1 while an MCP server behind this one is reached, 0 while it is left alone for failing.",
        ["upstream"],
        () => Array.from(isUp(), ([upstream, up]) => [{ upstream }, up ? 1 : 0]),
      );
    },
    watchWork({ compute, streams }) {
      gauge(registry, "compute_jobs", "Jobs of requests that compute, by state.", ["state"], () => {
        const { waiting, running } = compute();
        return [
          [{ state: "waiting" }, waiting],
          [{ state: "running" }, running],
        ];
      });
      gauge(registry, "compute_workers", "Worker processes that there are.", [], () => [
        [{}, compute().workers],
      ]);
      gauge(registry, "event_streams", "Streams of events that are open.", [], () => [[{}, streams()]]);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

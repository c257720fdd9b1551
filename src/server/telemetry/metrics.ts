import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Exchange } from "../pipeline/exchange.ts";

/** What `/metrics` shows, in Prometheus's text format. */
export interface Metrics {
  answered(exchange: Exchange, status: number): void;
  /** Something was not stored because of a bound. */
  refused(bound: string): void;
  /** A tool of an upstream was called. */
  called(upstream: string, outcome: string, ms: number): void;
  /** Shows which of these are reached, whenever somebody looks. */
  watchUpstreams(isUp: () => Iterable<[upstream: string, isUp: boolean]>): void;
  text(): Promise<string>;
  contentType: string;
}

export function createMetrics({ clock, store }: { clock: Clock; store: Store }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "toolplane_http_requests_total",
    help: "Requests answered, by endpoint and status.",
    labelNames: ["endpoint", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "toolplane_http_request_duration_seconds",
    help: "Time from a request's headers to the end of its answer.",
    labelNames: ["endpoint"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: "toolplane_store_bytes",
    help: "Size of the store on its medium.",
    registers: [registry],
    async collect() {
      this.set(await store.sizeBytes().catch(() => Number.NaN));
    },
  });

  if (store.headroom.describe()) {
    gauge("toolplane_store_memory_bytes", "About what the store holds of the process's heap.", "usedBytes");
    gauge("toolplane_store_memory_bound_bytes", "The most that it may; beyond, nothing grows.", "limitBytes");
  }
  function gauge(name: string, help: string, member: "usedBytes" | "limitBytes"): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(store.headroom.describe()?.[member] ?? 0);
      },
    });
  }
  const refusals = new Counter({
    name: "toolplane_storage_refusals_total",
    help: "Requests that would have stored more than a bound allows.",
    labelNames: ["bound"],
    registers: [registry],
  });

  const calls = new Counter({
    name: "toolplane_mcp_calls_total",
    help: "Calls of tools of MCP servers behind this one, by what became of them.",
    labelNames: ["upstream", "outcome"],
    registers: [registry],
  });
  const callDurations = new Histogram({
    name: "toolplane_mcp_call_duration_seconds",
    help: "Time from a call of a tool to the end of its answer.",
    labelNames: ["upstream"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });

  /** Looking a label up costs more than counting: each series is looked up once. */
  const series = new Map<string, { count(): void; observe(seconds: number): void }>();
  return {
    answered(exchange, status) {
      const key = `${exchange.endpoint} ${status}`;
      let found = series.get(key);
      if (!found) {
        const counter = requests.labels(exchange.endpoint, String(status));
        const histogram = durations.labels(exchange.endpoint);
        found = { count: () => counter.inc(), observe: (seconds) => histogram.observe(seconds) };
        series.set(key, found);
      }
      found.count();
      found.observe((clock.monotonic() - exchange.startedAt) / 1000);
    },
    refused: (bound) => refusals.inc({ bound }),
    called(upstream, outcome, ms) {
      calls.inc({ upstream, outcome });
      callDurations.observe({ upstream }, ms / 1000);
    },
    watchUpstreams(isUp) {
      new Gauge({
        name: "toolplane_mcp_upstream_up",
        help: "1 while an MCP server behind this one is reached, 0 while it is left alone for failing.",
        labelNames: ["upstream"],
        registers: [registry],
        collect() {
          for (const [upstream, up] of isUp()) this.set({ upstream }, up ? 1 : 0);
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

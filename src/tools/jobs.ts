import type { Job } from "../contract/compute.ts";
import type { ComputedEndpoint } from "../contract/endpoint.ts";

/** What runs on the worker threads, by the endpoint's name; loaded when it is first asked for. */
export const jobs: Record<string, () => Promise<Job<ComputedEndpoint, never>>> = {
  "agent-memory.storeMany": async () => (await import("./agent-memory/store-many-job.ts")).storeManyJob,
  "anomalies.analyze": async () => (await import("./anomalies/analyze-job.ts")).analyzeJob,
  "code-review.review": async () => (await import("./code-review/review-job.ts")).reviewJob,
  "context.optimize": async () => (await import("./context-optimizer/optimize-job.ts")).optimizeJob,
  "knowledge-graph.import": async () => (await import("./knowledge-graph/import-job.ts")).importJob,
  "models.select": async () => (await import("./models/select-job.ts")).selectJob,
  "observability.report": async () => (await import("./observability/report-job.ts")).reportJob,
  "scheduler.plan": async () => (await import("./scheduler/plan-job.ts")).planJob,
  "self-healing.diagnose": async () => (await import("./self-healing/diagnose-job.ts")).diagnoseJob,
};

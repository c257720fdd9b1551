/* Routes that may be retried when an answer is lost, from the endpoints' declarations. Made by `npm run docs`. */

/** Routes that honour `Idempotency-Key`. */
export const IDEMPOTENT_ROUTES: readonly string[] = [
  "PATCH /api/v1/tools/agent-memory/{memoryId}",
  "POST /api/v1/events/batch",
  "POST /api/v1/keys/{keyId}/rotate",
  "POST /api/v1/tools/agent-memory/store",
  "POST /api/v1/tools/agent-memory/store-many",
  "POST /api/v1/tools/anomalies/analyze",
  "POST /api/v1/tools/anomalies/apply/{id}",
  "POST /api/v1/tools/anomalies/dismiss/{id}",
  "POST /api/v1/tools/anomalies/reopen/{id}",
  "POST /api/v1/tools/anomalies/settings",
  "POST /api/v1/tools/knowledge-graph/delete",
  "POST /api/v1/tools/knowledge-graph/entity",
  "POST /api/v1/tools/knowledge-graph/import",
  "POST /api/v1/tools/knowledge-graph/relationship",
  "POST /api/v1/tools/learning/benchmark",
  "POST /api/v1/tools/learning/pattern",
  "POST /api/v1/tools/models/outcome",
  "POST /api/v1/tools/observability/errors/ignore",
  "POST /api/v1/tools/observability/errors/reopen",
  "POST /api/v1/tools/observability/errors/resolve",
  "POST /api/v1/tools/pair/session",
  "POST /api/v1/tools/pair/session/{sessionId}/change",
  "POST /api/v1/tools/pair/session/{sessionId}/end",
  "POST /api/v1/tools/pair/session/{sessionId}/handoff",
  "POST /api/v1/tools/self-healing/diagnose",
  "POST /api/v1/tools/self-healing/record",
  "POST /api/v1/track",
  "POST /api/v1/webhooks/{webhookId}/rotate",
];

/** Routes that only compute an answer and change nothing. */
export const SAFE_ROUTES: readonly string[] = [
  "POST /api/v1/entitlements/resolve",
  "POST /api/v1/tools/code-review",
  "POST /api/v1/tools/context/locate",
  "POST /api/v1/tools/context/optimize",
  "POST /api/v1/tools/models/select",
  "POST /api/v1/tools/scheduler/plan",
];

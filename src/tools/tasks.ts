/**
 * What runs on the worker threads, by name: pure functions, loaded when they are first asked for. The
 * endpoints marked `cpu` hand their work to one of them.
 */
export type Task = (input: never) => unknown;

export const tasks: Record<string, () => Promise<Task>> = {
  "agent-memory.analyse": async () => (await import("./agent-memory/analyse.ts")).analyseMany,
  "code-review.review": async () => (await import("./code-review/review.ts")).review,
  "code-review.sarif": async () => (await import("./code-review/sarif.ts")).reviewAsSarif,
  "anomalies.analyse": async () => (await import("./anomalies/analyse.ts")).analyse,
  "scheduler.plan": async () => (await import("./scheduler/plan.ts")).plan,
  "context.optimize": async () => (await import("./context-optimizer/optimize.ts")).optimize,
  "models.readPrompt": async () => (await import("./models/read-prompt.ts")).readPrompt,
  "self-healing.diagnose": async () => (await import("./self-healing/diagnose.ts")).diagnose,
};

/**
 * What runs on the worker threads, by name: pure functions, loaded when they are first asked for. The
 * endpoints marked `cpu` hand their work to one of them.
 */
export type Task = (input: never) => unknown;

export const tasks: Record<string, () => Promise<Task>> = {
  "agent-memory.analyse": async () => (await import("./agent-memory/analyse.ts")).analyseMany,
  "scheduler.plan": async () => (await import("./scheduler/plan.ts")).plan,
  "context.optimize": async () => (await import("./context-optimizer/optimize.ts")).optimize,
  "self-healing.diagnose": async () => (await import("./self-healing/diagnose.ts")).diagnose,
};

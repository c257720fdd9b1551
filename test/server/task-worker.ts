import { Problem } from "../../src/contract/problem.ts";
import { type Task, tasks } from "../../src/tools/tasks.ts";

/** The worker of the tools with tasks that only tests want. */
const TASKS: Record<string, Task> = {
  double: ({ value }: { value: number }) => value * 2,
  thread: async () => (await import("node:worker_threads")).threadId,
  refuse: () => {
    throw new Problem("dependency_cycle", "a needs b, b needs a", { members: { cycle: ["a", "b"] } });
  },
  fail: () => {
    throw new TypeError("a fault of ours");
  },
  sleep: ({ ms }: { ms: number }) => new Promise((resolve) => setTimeout(resolve, ms)),
  hang: () => {
    for (;;);
  },
  exit: () => process.exit(),
};
for (const [name, task] of Object.entries(TASKS)) tasks[name] = async () => task;
await import("../../src/tools/compute-worker.ts");

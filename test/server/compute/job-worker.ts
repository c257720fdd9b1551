import { z } from "zod";
import { type JobHost, jobOf, jsonBytes } from "../../../src/contract/compute.ts";
import { computedEndpoint } from "../../../src/contract/endpoint.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { jobs } from "../../../src/tools/jobs.ts";

/** The worker of the tools with jobs that only tests want. */
const endpoint = computedEndpoint({
  name: "test",
  method: "POST",
  path: "/test",
  summary: "Test",
  scope: "write",
  compute: "short",
  input: z.strictObject({ value: z.number().default(0) }),
  output: z.object({}),
});

type Input = { value: number };
const JOBS: Record<string, (input: Input, host: JobHost<number>) => unknown> = {
  double: ({ value }) => value * 2,
  bytes: ({ value }) => jsonBytes({ value }),
  context: (_, { context }) => context,
  process: () => process.pid,
  refuse: () => {
    throw new Problem("dependency_cycle", "a needs b, b needs a", { members: { cycle: ["a", "b"] } });
  },
  fail: () => {
    throw new TypeError("a fault of ours");
  },
  sleep: ({ value }) => new Promise((resolve) => setTimeout(resolve, value)),
  ask: async ({ value }, { ask }) => [await ask("next", value), await ask("next", value + 1)],
  hang: () => {
    for (;;);
  },
  hoard: () => {
    const all: number[][] = [];
    for (let length = 1000; ; length *= 2) all.push(new Array(length).fill(all.length));
  },
  exit: () => process.exit(),
};
for (const [name, run] of Object.entries(JOBS)) jobs[name] = async () => jobOf(endpoint, run as never);
await import("../../../src/server/compute/compute-worker.ts");

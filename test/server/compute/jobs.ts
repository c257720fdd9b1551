import { z } from "zod";
import type { JobHost } from "../../../src/contract/compute.ts";
import { computedEndpoint } from "../../../src/contract/endpoint.ts";
import { jobOf, jsonBytes } from "../../../src/contract/job.ts";
import { Problem } from "../../../src/contract/problem.ts";

/** Jobs that exist only for tests. */
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
const named = (name: string, run: (input: Input, host: JobHost<number>) => unknown) =>
  jobOf({ ...endpoint, name }, run);

export const double = named("double", ({ value }) => value * 2);
export const bytes = named("bytes", ({ value }) => jsonBytes({ value }));
export const context = named("context", (_, { context }) => context);
export const processJob = named("process", () => process.pid);
export const refuse = named("refuse", () => {
  throw new Problem("dependency_cycle", "a needs b, b needs a", { members: { cycle: ["a", "b"] } });
});
export const fail = named("fail", () => {
  throw new TypeError("a fault of ours");
});
export const sleep = named("sleep", ({ value }) => new Promise((resolve) => setTimeout(resolve, value)));
export const ask = named("ask", async ({ value }, { ask }) => [
  await ask("next", value),
  await ask("next", value + 1),
]);
export const hang = named("hang", () => {
  for (;;);
});
export const hoard = named("hoard", () => {
  const all: number[][] = [];
  for (let length = 1000; ; length *= 2) all.push(new Array(length).fill(all.length));
});
export const exit = named("exit", () => process.exit());
export const killed = named("killed", () => process.kill(process.pid, "SIGKILL"));
export const count = named("count", function* ({ value }) {
  for (let at = 0; at < value; at++) yield at % 2 === 0 ? at : jsonBytes(at);
});
export const askParts = named("ask-parts", async function* ({ value }, { ask }) {
  yield await ask("next", value);
  yield await ask("next", value + 1);
});
export const failLate = named("fail-late", function* () {
  yield "first";
  throw new Problem("quota_exceeded", "no more");
});
export const exitLate = named("exit-late", function* () {
  yield "first";
  process.exit();
});

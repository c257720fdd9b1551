import type { Work, WorkOptions } from "../../src/contract/compute.ts";
import type { ComputedEndpoint } from "../../src/contract/endpoint.ts";
import type { Job } from "../../src/contract/job.ts";

/** Returns the `Work` that a handler is given. Its job runs in this thread. */
export function workOn<E extends ComputedEndpoint>(job: Job<E, never>, body: unknown): Work {
  const input = job.endpoint.input.strict().parse(body);
  return {
    run: async ({ context, answers = {} }: WorkOptions<unknown>) =>
      (await job.run(input as never, {
        context: context as never,
        ask: async (question, payload) => (await answers[question]?.(payload as never)) as never,
      })) as never,
  };
}

import { type Handlers, Reply } from "../../contract/endpoint.ts";
import type { contextOptimizerContract } from "./contract.ts";
import type { locateJob } from "./locate-job.ts";
import type { optimizeJob } from "./optimize-job.ts";

/** Keeps nothing: it only shortens what it gets. */
export function createContextOptimizer(): Handlers<typeof contextOptimizerContract> {
  return {
    optimize: async (work) => Reply.json(await work.run<typeof optimizeJob>({ context: undefined })),
    locate: async (work) => Reply.json(await work.run<typeof locateJob>({ context: undefined })),
  };
}

import { type Handlers, Reply } from "../../contract/endpoint.ts";
import type { schedulerContract } from "./contract.ts";
import type { planJob } from "./plan-job.ts";

/** A service without stored state. */
export function createScheduler(): Handlers<typeof schedulerContract> {
  return { plan: async (work) => Reply.json(await work.run<typeof planJob>({ context: undefined })) };
}

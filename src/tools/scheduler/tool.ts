import { defineTool } from "../define-tool.ts";
import { schedulerContract } from "./contract.ts";

export const scheduler = defineTool({
  name: "scheduler",
  contract: schedulerContract,
  jobs: { plan: new URL("./plan-job.ts", import.meta.url) },
  create: async () => (await import("./service.ts")).createScheduler(),
});

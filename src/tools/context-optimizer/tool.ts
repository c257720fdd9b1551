import { defineTool } from "../define-tool.ts";
import { contextOptimizerContract } from "./contract.ts";

export const contextOptimizer = defineTool({
  name: "context-optimizer",
  contract: contextOptimizerContract,
  jobs: {
    optimize: new URL("./optimize-job.ts", import.meta.url),
    locate: new URL("./locate-job.ts", import.meta.url),
  },
  create: async () => (await import("./service.ts")).createContextOptimizer(),
});

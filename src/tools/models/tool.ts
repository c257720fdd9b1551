import { defineTool } from "../define-tool.ts";
import { modelsContract } from "./contract.ts";
import { modelsCollections } from "./documents.ts";
import type { ModelsPorts } from "./service.ts";

export const models = defineTool({
  name: "models",
  contract: modelsContract,
  collections: modelsCollections,
  jobs: { select: new URL("./select-job.ts", import.meta.url) },
  create: async (ports: ModelsPorts) => (await import("./service.ts")).createModels(ports),
});

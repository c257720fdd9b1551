import { defineTool } from "../define-tool.ts";
import { anomaliesContract } from "./contract.ts";
import { anomaliesCollections } from "./documents.ts";
import type { AnomaliesPorts } from "./service.ts";

export const anomalies = defineTool({
  name: "anomalies",
  contract: anomaliesContract,
  collections: anomaliesCollections,
  jobs: { analyze: new URL("./analyze-job.ts", import.meta.url) },
  create: async (ports: AnomaliesPorts) => (await import("./service.ts")).createAnomalies(ports),
});

import { defineTool } from "../define-tool.ts";
import { observabilityContract } from "./contract.ts";
import { observabilityCollections } from "./documents.ts";
import type { ObservabilityPorts } from "./service.ts";

export const observability = defineTool({
  name: "observability",
  contract: observabilityContract,
  collections: observabilityCollections,
  create: async (ports: ObservabilityPorts) => (await import("./service.ts")).createObservability(ports),
});

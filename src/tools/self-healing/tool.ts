import { defineTool } from "../define-tool.ts";
import { selfHealingContract } from "./contract.ts";
import { selfHealingCollections } from "./documents.ts";
import type { SelfHealingPorts } from "./service.ts";

export const selfHealing = defineTool({
  name: "self-healing",
  contract: selfHealingContract,
  collections: selfHealingCollections,
  jobs: { diagnose: new URL("./diagnose-job.ts", import.meta.url) },
  create: async (ports: SelfHealingPorts) => (await import("./service.ts")).createSelfHealing(ports),
});

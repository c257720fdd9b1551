import { defineTool } from "../define-tool.ts";
import { agentMemoryContract } from "./contract.ts";
import { agentMemoryCollections, COUNTER } from "./documents.ts";
import type { AgentMemoryPorts } from "./service.ts";

export const agentMemory = defineTool({
  name: "agent-memory",
  contract: agentMemoryContract,
  collections: agentMemoryCollections,
  counters: [COUNTER],
  jobs: { storeMany: new URL("./store-many-job.ts", import.meta.url) },
  projections: { "agent-memory": new URL("./searching/memory-index.ts", import.meta.url) },
  create: async (ports: AgentMemoryPorts) => (await import("./service.ts")).createAgentMemory(ports),
});

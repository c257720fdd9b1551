import { defineTool } from "../define-tool.ts";
import { knowledgeGraphContract } from "./contract.ts";
import { knowledgeGraphCollections } from "./documents.ts";
import type { KnowledgeGraphPorts } from "./service.ts";

export const knowledgeGraph = defineTool({
  name: "knowledge-graph",
  contract: knowledgeGraphContract,
  collections: knowledgeGraphCollections,
  jobs: { import: new URL("./import-job.ts", import.meta.url) },
  projections: { "knowledge-graph": new URL("./graph/graph-index.ts", import.meta.url) },
  create: async (ports: KnowledgeGraphPorts) => (await import("./service.ts")).createKnowledgeGraph(ports),
});

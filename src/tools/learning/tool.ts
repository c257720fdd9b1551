import { defineTool } from "../define-tool.ts";
import { learningContract } from "./contract.ts";
import { learningCollections } from "./documents.ts";
import type { LearningPorts } from "./service.ts";

export const learning = defineTool({
  name: "learning",
  contract: learningContract,
  collections: learningCollections,
  create: async (ports: LearningPorts) => (await import("./service.ts")).createLearning(ports),
});

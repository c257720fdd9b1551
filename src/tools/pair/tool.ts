import { defineTool } from "../define-tool.ts";
import { pairContract } from "./contract.ts";
import { pairCollections } from "./documents.ts";
import type { PairPorts } from "./service.ts";

export const pair = defineTool({
  name: "pair",
  contract: pairContract,
  collections: pairCollections,
  create: async (ports: PairPorts) => (await import("./service.ts")).createPair(ports),
});

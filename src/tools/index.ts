import type { Compute } from "../contract/compute.ts";
import { agentMemoryCollections } from "./agent-memory/documents.ts";
import { type AgentMemoryPorts, createAgentMemory } from "./agent-memory/service.ts";
import { createContextOptimizer } from "./context-optimizer/service.ts";
import { knowledgeGraphCollections } from "./knowledge-graph/documents.ts";
import { createKnowledgeGraph, type KnowledgeGraphPorts } from "./knowledge-graph/service.ts";
import { createScheduler, type SchedulerPorts } from "./scheduler/service.ts";
import { selfHealingCollections } from "./self-healing/documents.ts";
import { createSelfHealing, type SelfHealingPorts } from "./self-healing/service.ts";

/** What the tools are built from; each takes what it needs. */
export type ToolPorts = AgentMemoryPorts &
  KnowledgeGraphPorts &
  SchedulerPorts &
  SelfHealingPorts & { compute: Compute };

/** The handlers of every tool, under the names of their contracts in `api.ts`. */
export function createTools(ports: ToolPorts) {
  return {
    agentMemory: createAgentMemory(ports),
    contextOptimizer: createContextOptimizer(ports),
    knowledgeGraph: createKnowledgeGraph(ports),
    scheduler: createScheduler(ports),
    selfHealing: createSelfHealing(ports),
  };
}

export const toolCollections = [
  ...agentMemoryCollections,
  ...knowledgeGraphCollections,
  ...selfHealingCollections,
] as const;

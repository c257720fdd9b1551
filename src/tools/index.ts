import { agentMemoryCollections } from "./agent-memory/documents.ts";
import { type AgentMemoryPorts, createAgentMemory } from "./agent-memory/service.ts";
import { anomaliesCollections } from "./anomalies/documents.ts";
import { type AnomaliesPorts, createAnomalies } from "./anomalies/service.ts";
import { createCodeReview } from "./code-review/service.ts";
import { createContextOptimizer } from "./context-optimizer/service.ts";
import { knowledgeGraphCollections } from "./knowledge-graph/documents.ts";
import { createKnowledgeGraph, type KnowledgeGraphPorts } from "./knowledge-graph/service.ts";
import { learningCollections } from "./learning/documents.ts";
import { createLearning, type LearningPorts } from "./learning/service.ts";
import { modelsCollections } from "./models/documents.ts";
import { createModels, type ModelsPorts } from "./models/service.ts";
import { observabilityCollections } from "./observability/documents.ts";
import { createObservability, type ObservabilityPorts } from "./observability/service.ts";
import { pairCollections } from "./pair/documents.ts";
import { createPair, type PairPorts } from "./pair/service.ts";
import { createScheduler } from "./scheduler/service.ts";
import { selfHealingCollections } from "./self-healing/documents.ts";
import { createSelfHealing, type SelfHealingPorts } from "./self-healing/service.ts";

/** What the tools are built from; each takes what it needs. */
export type ToolPorts = AgentMemoryPorts &
  AnomaliesPorts &
  KnowledgeGraphPorts &
  ModelsPorts &
  LearningPorts &
  ObservabilityPorts &
  PairPorts &
  SelfHealingPorts;

/** The handlers of every tool, under the names of their contracts in `api.ts`. */
export function createTools(ports: ToolPorts) {
  return {
    agentMemory: createAgentMemory(ports),
    anomalies: createAnomalies(ports),
    codeReview: createCodeReview(),
    contextOptimizer: createContextOptimizer(),
    knowledgeGraph: createKnowledgeGraph(ports),
    models: createModels(ports),
    learning: createLearning(ports),
    observability: createObservability(ports),
    pair: createPair(ports),
    scheduler: createScheduler(),
    selfHealing: createSelfHealing(ports),
  };
}

export const toolCollections = [
  ...agentMemoryCollections,
  ...anomaliesCollections,
  ...knowledgeGraphCollections,
  ...modelsCollections,
  ...learningCollections,
  ...observabilityCollections,
  ...pairCollections,
  ...selfHealingCollections,
] as const;

import { accountsContract } from "./accounts/contract.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import { meteringContract } from "./metering/contract.ts";
import { oauthContract } from "./oauth/contract.ts";
import { agentMemoryContract } from "./tools/agent-memory/contract.ts";
import { anomaliesContract } from "./tools/anomalies/contract.ts";
import { codeReviewContract } from "./tools/code-review/contract.ts";
import { contextOptimizerContract } from "./tools/context-optimizer/contract.ts";
import { knowledgeGraphContract } from "./tools/knowledge-graph/contract.ts";
import { learningContract } from "./tools/learning/contract.ts";
import { modelsContract } from "./tools/models/contract.ts";
import { observabilityContract } from "./tools/observability/contract.ts";
import { pairContract } from "./tools/pair/contract.ts";
import { schedulerContract } from "./tools/scheduler/contract.ts";
import { selfHealingContract } from "./tools/self-healing/contract.ts";

/** The whole API: each folder's contract, one line each. */
export const api = {
  accounts: accountsContract,
  oauth: oauthContract,
  metering: meteringContract,
  agentMemory: agentMemoryContract,
  codeReview: codeReviewContract,
  anomalies: anomaliesContract,
  contextOptimizer: contextOptimizerContract,
  knowledgeGraph: knowledgeGraphContract,
  learning: learningContract,
  observability: observabilityContract,
  pair: pairContract,
  models: modelsContract,
  scheduler: schedulerContract,
  selfHealing: selfHealingContract,
};

export type Api = typeof api;

export const endpoints: readonly Endpoint[] = Object.values(api).flatMap((contract): Endpoint[] =>
  Object.values(contract),
);

import { requireOpen } from "../../accounts/shut.ts";
import type { Caller } from "../../contract/caller.ts";
import { Reply } from "../../contract/endpoint.ts";
import { agentMemoryContract } from "../../tools/agent-memory/contract.ts";
import { anomaliesContract } from "../../tools/anomalies/contract.ts";
import { knowledgeGraphContract } from "../../tools/knowledge-graph/contract.ts";
import { learningContract } from "../../tools/learning/contract.ts";
import { observabilityContract } from "../../tools/observability/contract.ts";
import { pairContract } from "../../tools/pair/contract.ts";
import { selfHealingContract } from "../../tools/self-healing/contract.ts";
import { anomaliesSection } from "../../web/console/anomalies/section.tsx";
import { diagnosesSection } from "../../web/console/diagnoses/section.tsx";
import { errorsSection } from "../../web/console/errors/section.tsx";
import type { Section, View } from "../../web/console/frame/section.ts";
import { type GraphFile, graphSection } from "../../web/console/graph/section.tsx";
import { learningSection } from "../../web/console/learning.tsx";
import { memoriesSection } from "../../web/console/memories/section.tsx";
import { pairSection } from "../../web/console/pair/section.tsx";
import type { BuiltInHandlers } from "../tools/create-tools.ts";
import { askingFor, textsOf } from "./asking.ts";

/** Creates the sections with the documents of the tools in a project. They use the API's own handlers. */
export function toolSections(handlers: BuiltInHandlers, callerOf: (view: View) => Caller): Section[] {
  const memory = askingFor(agentMemoryContract, handlers.agentMemory, callerOf);
  const graph = askingFor(knowledgeGraphContract, handlers.knowledgeGraph, callerOf);
  const graphml: GraphFile = async (view) => {
    requireOpen(view.visit.signedIn.account);
    const reply = await handlers.knowledgeGraph.show({ format: "graphml" }, callerOf(view));
    const raw = reply instanceof Reply ? reply.extras.raw : undefined;
    return textsOf(raw ?? "");
  };
  return [
    memoriesSection(memory),
    graphSection(graph, graphml),
    diagnosesSection(askingFor(selfHealingContract, handlers.selfHealing, callerOf)),
    pairSection(askingFor(pairContract, handlers.pair, callerOf)),
    anomaliesSection(askingFor(anomaliesContract, handlers.anomalies, callerOf)),
    learningSection(askingFor(learningContract, handlers.learning, callerOf)),
    errorsSection(askingFor(observabilityContract, handlers.observability, callerOf)),
  ];
}

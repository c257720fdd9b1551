import type { Caller } from "../../contract/caller.ts";
import { agentMemoryContract } from "../../tools/agent-memory/contract.ts";
import { observabilityContract } from "../../tools/observability/contract.ts";
import { errorsSection } from "../../web/console/errors/section.tsx";
import { memoriesSection } from "../../web/console/memories/section.tsx";
import type { Section, View } from "../../web/console/section.ts";
import type { Services } from "../services.ts";
import { askingFor } from "./asking.ts";

/** What the tools keep of a project, by the handlers that answer the API. */
export function toolSections({ handlers }: Services, callerOf: (view: View) => Caller): Section[] {
  return [
    memoriesSection(askingFor(agentMemoryContract, handlers.agentMemory, callerOf)),
    errorsSection(askingFor(observabilityContract, handlers.observability, callerOf)),
  ];
}

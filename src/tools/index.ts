import type { AlertSink } from "../alerts/alert.ts";
import { agentMemory } from "./agent-memory/tool.ts";
import { anomalies } from "./anomalies/tool.ts";
import { codeReview } from "./code-review/tool.ts";
import { contextOptimizer } from "./context-optimizer/tool.ts";
import type { ToolPorts } from "./define-tool.ts";
import { knowledgeGraph } from "./knowledge-graph/tool.ts";
import { learning } from "./learning/tool.ts";
import type { Catalogue } from "./models/catalogue/catalogue.ts";
import { models } from "./models/tool.ts";
import type { SourceMaps } from "./observability/source-maps/source-maps.ts";
import { observability } from "./observability/tool.ts";
import { pair } from "./pair/tool.ts";
import { scheduler } from "./scheduler/tool.ts";
import { selfHealing } from "./self-healing/tool.ts";

/** The product's tools, one line each, in the order of the docs. */
export const tools = {
  agentMemory,
  codeReview,
  anomalies,
  contextOptimizer,
  knowledgeGraph,
  learning,
  observability,
  pair,
  models,
  scheduler,
  selfHealing,
};

export type BuiltInTools = typeof tools;

/** What the product's own tools get in addition to what every tool gets. */
export interface BuiltInPorts extends ToolPorts {
  models: Catalogue;
  /** Where the operator has the projects' telemetry sent. */
  otlpEndpoint?: string | undefined;
  /** Restores stacks of minified programs, by workers that only the server has. */
  sourceMaps: Pick<SourceMaps, "originals">;
  /** For data that belongs to a project but is in no space of it. */
  getOrCreateProject: (accountId: string, projectId: string) => Promise<void>;
  /** Alerts the people of an account, as part of a transaction. */
  raise: AlertSink["raiseIn"];
}

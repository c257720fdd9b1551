import type { Endpoint } from "../contract/endpoint.ts";
import type { AnyTool } from "../tools/define-tool.ts";

interface Entry {
  /** The endpoint's name in its tool's contract. */
  name: string;
  tool: () => Promise<AnyTool>;
  /** What the tool is created with in addition to what every local tool gets. */
  ports?: () => Promise<object>;
}

const contextOptimizer = async () => (await import("../tools/context-optimizer/tool.ts")).contextOptimizer;
const models = {
  tool: async () => (await import("../tools/models/tool.ts")).models,
  ports: async () => {
    const { loadModels } = await import("../tools/models/catalogue/catalogue.ts");
    return { models: loadModels() };
  },
};

/**
 * The endpoints, by method and path, whose answer depends on the input alone, so that they need no server, sign-in or
 * stored data. A tool is loaded when it is asked, because the schemas of all tools take longer than a small question.
 */
const LOCAL = {
  "POST /api/v1/tools/code-review": {
    name: "review",
    tool: async () => (await import("../tools/code-review/tool.ts")).codeReview,
  },
  "POST /api/v1/tools/self-healing/diagnose": {
    name: "diagnose",
    tool: async () => (await import("../tools/self-healing/tool.ts")).selfHealing,
  },
  "POST /api/v1/tools/anomalies/analyze": {
    name: "analyze",
    tool: async () => (await import("../tools/anomalies/tool.ts")).anomalies,
  },
  "POST /api/v1/tools/context/optimize": { name: "optimize", tool: contextOptimizer },
  "POST /api/v1/tools/context/locate": { name: "locate", tool: contextOptimizer },
  "POST /api/v1/tools/scheduler/plan": {
    name: "plan",
    tool: async () => (await import("../tools/scheduler/tool.ts")).scheduler,
  },
  "GET /api/v1/tools/models": { name: "list", ...models },
  "POST /api/v1/tools/models/select": { name: "select", ...models },
} as const satisfies Record<string, Entry>;

export type LocalRoute = keyof typeof LOCAL;

export const LOCAL_ROUTES: readonly string[] = Object.keys(LOCAL);

export function isLocal(route: string): route is LocalRoute {
  return Object.hasOwn(LOCAL, route);
}

export interface LocalOperation {
  tool: AnyTool;
  /** The endpoint's name in its tool's contract. */
  name: string;
  endpoint: Endpoint;
  ports: object;
}

export async function localOperation(route: LocalRoute): Promise<LocalOperation> {
  const { name, tool: load, ports }: Entry = LOCAL[route];
  const tool = await load();
  return { tool, name, endpoint: tool.contract[name] as Endpoint, ports: (await ports?.()) ?? {} };
}

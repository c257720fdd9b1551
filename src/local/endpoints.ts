import type { Endpoint } from "../contract/endpoint.ts";
import type { AnyTool } from "../tools/define-tool.ts";
import { type BuiltInTools, tools } from "../tools/index.ts";

/**
 * The endpoints, by tool, whose answer depends on the input alone, so that they need no server, sign-in or stored
 * data.
 */
const LOCAL = {
  codeReview: ["review"],
  selfHealing: ["diagnose"],
  anomalies: ["analyze"],
  contextOptimizer: ["optimize", "locate"],
  scheduler: ["plan"],
  models: ["list", "select"],
} as const satisfies { [Area in keyof BuiltInTools]?: readonly (keyof BuiltInTools[Area]["contract"])[] };

type LocalContracts = {
  [Area in keyof typeof LOCAL]: Pick<
    BuiltInTools[Area]["contract"],
    (typeof LOCAL)[Area][number] & keyof BuiltInTools[Area]["contract"]
  >;
};
type LocalEndpoint = {
  [Area in keyof LocalContracts]: LocalContracts[Area][keyof LocalContracts[Area]];
}[keyof LocalContracts];

/** A method and path, such as `POST /api/v1/tools/code-review`. */
export type LocalRoute = {
  [Each in LocalEndpoint as `${Each["method"]} ${Each["path"]}`]: Each;
} extends infer Routes
  ? keyof Routes & string
  : never;

export interface LocalOperation {
  tool: AnyTool;
  /** The endpoint's name in its tool's contract. */
  name: string;
  endpoint: Endpoint;
}

/** The operations by route. */
export const localOperations: ReadonlyMap<string, LocalOperation> = new Map(
  Object.entries(LOCAL).flatMap(([area, names]) => {
    const tool: AnyTool = tools[area as keyof typeof LOCAL];
    return names.map((name) => {
      const endpoint = tool.contract[name] as Endpoint;
      return [`${endpoint.method} ${endpoint.path}`, { tool, name, endpoint }] as const;
    });
  }),
);

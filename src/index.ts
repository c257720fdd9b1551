/**
 * The control plane as a library: a server that listens by itself or is mounted in another, and what a tool,
 * a plan or a store of your own is made with. The command line's client is not part of it.
 */

export type { Caller, Scope } from "./contract/caller.ts";
export { type JobHost, jobOf, jsonBytes, type Work } from "./contract/compute.ts";
export {
  At,
  type Contract,
  computedEndpoint,
  type Endpoint,
  endpoint,
  type Handlers,
  type Input,
  listOf,
  Name,
  type Output,
  Page,
  Reply,
  UserId,
} from "./contract/endpoint.ts";
export { Problem, type ProblemCode } from "./contract/problem.ts";
export { type Catalogue, loadCatalogue } from "./metering/plans.ts";
export { type ControlPlane, createServer, type ServerOptions } from "./server/create-server.ts";
export {
  type HostedKind,
  type Projection,
  type ProjectionKind,
  type Projections,
  source,
} from "./store/projection.ts";
export { type Collection, collection, projectSpace, type Store, type Transaction } from "./store/store.ts";
export { type Clock, iso } from "./system/clock.ts";
export { defineTool, type Tool, type ToolPorts } from "./tools/define-tool.ts";

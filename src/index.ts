/**
 * The control plane as a library: a server that listens by itself or is mounted in another one, and the building
 * blocks for a custom tool, plan or store. The command line's API client is not part of it.
 */
export type { Caller, CredentialKind, Scope } from "./contract/caller.ts";
export { named, refinementRules } from "./contract/components.ts";
export type { JobHost, Pace, Work, WorkOptions } from "./contract/compute.ts";
export {
  At,
  type ComputedEndpoint,
  type Contract,
  computedEndpoint,
  type Endpoint,
  endpoint,
  type Handler,
  type Handlers,
  type Input,
  listOf,
  type Method,
  Name,
  type Output,
  Page,
  Reply,
  type ServerEvent,
  UserId,
} from "./contract/endpoint.ts";
export { type Job, jobOf, jsonBytes } from "./contract/job.ts";
export { type Fault, Problem, type ProblemCode, type ProblemExtras } from "./contract/problem.ts";
export { type Catalogue, InvalidCatalogue, loadCatalogue, parseCatalogue } from "./metering/plans.ts";
export type { ControlPlane, ServerOptions } from "./server/control-plane.ts";
export { createServer } from "./server/create-server.ts";
export {
  type Answered,
  type HostedKind,
  type Projection,
  type ProjectionKind,
  type Projections,
  type Questions,
  type Source,
  type Steps,
  source,
  WithText,
  type Written,
} from "./store/projection.ts";
export {
  accountSpace,
  type Collection,
  Conflict,
  collection,
  type Entry,
  GLOBAL,
  type ListOptions,
  NoRoom,
  projectSpace,
  type Role,
  type Space,
  type Store,
  StoreUnavailable,
  type Transaction,
  type WriteOptions,
} from "./store/store.ts";
export { type Clock, iso } from "./system/clock.ts";
export type { Log, LogLevel } from "./system/log.ts";
export type { Random } from "./system/random.ts";
export { type AnyTool, defineTool, type Tool, type ToolPorts } from "./tools/define-tool.ts";

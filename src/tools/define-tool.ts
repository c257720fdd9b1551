import type { Caller } from "../contract/caller.ts";
import type { ComputedEndpoint, Contract, Handlers } from "../contract/endpoint.ts";
import type { Projections } from "../store/projection.ts";
import type { Collection, Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { packageRoot } from "../system/package.ts";
import type { Random } from "../system/random.ts";

/** What the server provides to every tool. */
export interface ToolPorts {
  /**
   * Holds the tool's own collections and counters, and no others. A write to a project creates the project if it does
   * not exist, and keeps what the account stores within its plan. The tool need not do either.
   */
  store: Store;
  projections: Projections;
  clock: Clock;
  random: Random;
  /** URL of the server as its users reach it, without a trailing slash. */
  baseUrl: () => string;
  /** Whether the plan of the caller's account, or the project's own, has a gate: `skills.basic`. */
  isGranted: (caller: Caller, gate: string) => Promise<boolean>;
  /**
   * Returns the names of an account, its users and its projects, which must not appear in what is shared with others.
   */
  namesOf: (accountId: string) => Promise<string[]>;
}

/** The endpoints of a contract that compute. */
type Computed<C extends Contract> = {
  [Name in keyof C]: C[Name] extends ComputedEndpoint ? Name : never;
}[keyof C];

/** One module for each endpoint that computes. A missing one is a compile error. */
type Jobs<C extends Contract> = [Computed<C>] extends [never]
  ? { jobs?: Record<string, never> }
  : { jobs: Readonly<Record<Computed<C>, URL>> };

/** A server-side tool, declared once: router, store, workers, MCP, OpenAPI document and limits derive from it. */
export type Tool<C extends Contract = Contract, P = ToolPorts> = {
  /** The name in its paths: `knowledge-graph` in `/api/v1/tools/knowledge-graph/entities`. */
  name: string;
  contract: C;
  /**
   * What it keeps. When a project is emptied, each collection is deleted completely before the next. So collections
   * that refer to other documents come before those.
   */
  collections?: readonly Collection<unknown>[];
  /** The names of its counters (`Transaction.increment`), in snake_case. They are deleted with its documents. */
  counters?: readonly string[];
  /** The modules of its projections, by the name of their kind; each exports a `HostedKind`. */
  projections?: Readonly<Record<string, URL>>;
  /** Called once for each server. */
  create(ports: P): Handlers<C> | Promise<Handlers<C>>;
} & Jobs<C>;

/** Any tool, for lists of tools. */
export interface AnyTool<P = never> {
  name: string;
  contract: Contract;
  collections?: readonly Collection<unknown>[];
  counters?: readonly string[];
  jobs?: Readonly<Record<string, URL>>;
  projections?: Readonly<Record<string, URL>>;
  create(ports: P): object | Promise<object>;
}

/**
 * Declares a tool. Its jobs and projections are named by the URLs of their modules,
 * `new URL("./plan-job.js", import.meta.url)`, because they run in other processes.
 */
export function defineTool<C extends Contract, P = ToolPorts>(tool: Tool<C, P>): Tool<C, P> {
  return Object.isExtensible(tool) ? Object.assign(tool, { [MADE_BY]: packageRoot }) : tool;
}

/** The same in every copy of this package, so that a server recognises a tool that another copy made. */
const MADE_BY = Symbol.for("toolplane.madeBy");

/** Returns the directory of the copy of this package that made a tool, if `defineTool()` did. */
export function makerOf(tool: object): string | undefined {
  return (tool as { [MADE_BY]?: string })[MADE_BY];
}

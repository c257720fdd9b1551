import { serviceContracts } from "../../api.ts";
import type { Contract, Endpoint } from "../../contract/endpoint.ts";
import type { Collection } from "../../store/store.ts";
import type { AnyTool, ToolPorts } from "../../tools/define-tool.ts";
import { type BuiltInPorts, tools as builtIn } from "../../tools/index.ts";
import { serviceCollections, serviceCounters } from "../collections.ts";
import { checkTools } from "./check-tools.ts";

/** What a server knows of its tools before any of them is created. */
export interface Registry {
  /** The built-in tools, then the added ones. */
  tools: readonly AnyTool<BuiltInPorts>[];
  /** The added tools. */
  added: readonly AnyTool<ToolPorts>[];
  /** The endpoints of the whole API. */
  endpoints: readonly Endpoint[];
  /** The collections that the store must provide. */
  collections: readonly Collection<unknown>[];
  /** The names of all counters of accounts and projects. */
  counters: readonly string[];
  /** The modules of all projections, by kind. */
  projections: Readonly<Record<string, URL>>;
}

/** Returns the registry of all tools. Throws a user-facing `Error` if they conflict. */
export function registryOf(added: readonly AnyTool<ToolPorts>[] = []): Registry {
  if (!Array.isArray(added)) throw new Error("tools must be a list: createServer({ tools: [glossary] }).");
  const tools = [...Object.values(builtIn), ...added];
  const service = Object.values<Contract>(serviceContracts).flatMap((contract) => Object.values(contract));
  checkTools(tools, { endpoints: service, collections: serviceCollections, counters: serviceCounters });
  return {
    tools,
    added,
    endpoints: [...service, ...tools.flatMap(({ contract }) => Object.values<Endpoint>(contract))],
    collections: [...serviceCollections, ...tools.flatMap(({ collections = [] }) => collections)],
    counters: [...serviceCounters, ...tools.flatMap(({ counters = [] }) => counters)],
    projections: Object.assign({}, ...tools.map(({ projections }) => projections)),
  };
}

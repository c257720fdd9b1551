import { serviceContracts } from "../../api.ts";
import type { Contract, Endpoint } from "../../contract/endpoint.ts";
import type { Collection } from "../../store/store.ts";
import type { AnyTool, ToolPorts } from "../../tools/define-tool.ts";
import { type BuiltInPorts, tools as builtIn } from "../../tools/index.ts";
import { serviceCollections } from "../collections.ts";
import { checkTools } from "./check-tools.ts";

/** What a server is told of its tools before any of them is made. */
export interface Registry {
  /** The product's own, then those that were added. */
  tools: readonly AnyTool<BuiltInPorts>[];
  /** Of those that were added. */
  added: readonly AnyTool<ToolPorts>[];
  /** The whole API. */
  endpoints: readonly Endpoint[];
  /** What the store has to have a place for. */
  collections: readonly Collection<unknown>[];
  /** The modules of all projections, by kind. */
  projections: Readonly<Record<string, URL>>;
}

/** Throws an `Error` for people where the tools do not fit together. */
export function registryOf(added: readonly AnyTool<ToolPorts>[] = []): Registry {
  const tools = [...Object.values(builtIn), ...added];
  const service = Object.values<Contract>(serviceContracts).flatMap((contract) => Object.values(contract));
  checkTools(tools, { endpoints: service, collections: serviceCollections });
  return {
    tools,
    added,
    endpoints: [...service, ...tools.flatMap(({ contract }) => Object.values<Endpoint>(contract))],
    collections: [...serviceCollections, ...tools.flatMap(({ collections = [] }) => collections)],
    projections: Object.assign({}, ...tools.map(({ projections }) => projections)),
  };
}

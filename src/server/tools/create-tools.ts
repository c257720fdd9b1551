import type { Handlers } from "../../contract/endpoint.ts";
import type { AnyTool } from "../../tools/define-tool.ts";
import { type BuiltInPorts, type BuiltInTools, tools as builtIn } from "../../tools/index.ts";
import { type Handled, handledBy } from "../operations/handlers.ts";
import { checkHandlers } from "./check-tools.ts";
import { toolStore } from "./tool-store.ts";

export type BuiltInHandlers = {
  [Area in keyof BuiltInTools]: Handlers<BuiltInTools[Area]["contract"]>;
};

export interface CreatedTools {
  /** The handlers of the built-in tools, which other parts of the server use as well. */
  handlers: BuiltInHandlers;
  handled: Handled[];
}

/** Creates every tool, each with a store that gives access to its own collections only. */
export async function createTools(
  tools: readonly AnyTool<BuiltInPorts>[],
  ports: BuiltInPorts,
): Promise<CreatedTools> {
  const made = new Map<AnyTool<BuiltInPorts>, object>();
  for (const tool of tools) {
    const handlers = await tool.create({ ...ports, store: toolStore({ store: ports.store, tool }) });
    checkHandlers(tool, handlers);
    made.set(tool, handlers);
  }
  const own = Object.entries<AnyTool<BuiltInPorts>>(builtIn).map(([area, tool]) => [area, made.get(tool)]);
  return {
    handlers: Object.fromEntries(own),
    handled: [...made].flatMap(([{ contract, jobs }, handlers]) => handledBy(contract, handlers, jobs)),
  };
}

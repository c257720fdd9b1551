import type { AnyHandler, Handlers } from "../../contract/endpoint.ts";
import type { AnyTool } from "../../tools/define-tool.ts";
import { type BuiltInPorts, type BuiltInTools, tools as builtIn } from "../../tools/index.ts";
import { type Handled, handledBy } from "../operations/handlers.ts";
import { checkHandlers } from "./check-tools.ts";
import { messageWithPlace } from "./error-place.ts";
import { finished } from "./finished.ts";
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
    const handlers = await created(tool, { ...ports, store: toolStore({ store: ports.store, tool }) });
    checkHandlers(tool, handlers);
    made.set(tool, bound(tool, handlers));
  }
  const own = Object.entries<AnyTool<BuiltInPorts>>(builtIn).map(([area, tool]) => [area, made.get(tool)]);
  return {
    handlers: Object.fromEntries(own),
    handled: [...made].flatMap(([{ contract, jobs }, handlers]) => handledBy(contract, handlers, jobs)),
  };
}

/** Rejects with an error that names the tool if its `create()` fails or never ends. */
async function created(tool: AnyTool<BuiltInPorts>, ports: BuiltInPorts): Promise<object> {
  const making = (async () => tool.create(ports))();
  return finished(making, ports.clock, "it awaits something that does not come.").catch((error) => {
    throw new Error(`\`create\` of the tool ${tool.name} failed: ${messageWithPlace(error)}`, {
      cause: error,
    });
  });
}

/** Returns the handlers, which may be methods that need their object: of a class, or of each other. */
function bound({ contract }: AnyTool<BuiltInPorts>, handlers: object): Record<string, AnyHandler> {
  const methods = handlers as Record<string, AnyHandler>;
  return Object.fromEntries(
    Object.keys(contract).map((key) => [key, (methods[key] as AnyHandler).bind(handlers)]),
  );
}

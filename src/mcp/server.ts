import { Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { HOUR_MS } from "../system/durations.ts";
import { packageVersion } from "../system/package.ts";
import { promptNamed, promptsWith } from "./prompts.ts";
import { RESOURCE_TEMPLATES, RESOURCES, readResource } from "./resources.ts";
import { serveTasks, TASKS, type TaskPorts } from "./tasks.ts";
import { type ToolCallPorts, toolCalls } from "./tool-calls.ts";

export interface McpServerPorts extends ToolCallPorts {
  /** Whether the list of tools may change while a client is connected. */
  toolsChange?: boolean;
  /** Present if calls may continue as tasks. */
  tasks?: TaskPorts;
}

export interface McpServer {
  server: Server;
  /** Resolves when every request was answered. */
  idle(): Promise<void>;
}

/** Each list is one page, so every cursor is invalid. */
const ListParams = z.looseObject({
  cursor: z.undefined("There is no such cursor: each list is one page").optional(),
});
const PromptParams = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });
const ReadParams = z.looseObject({ uri: z.string() });

const INSTRUCTIONS = [
  "Tools of a Toolplane server. What they keep is kept by project.",
  "An answer with isError says what to mend; where arguments are wrong, nothing was done.",
].join(" ");

/** Cache hint for what is the same for all callers of this version of the server. */
const FOR_ALL = { ttlMs: HOUR_MS, cacheScope: "public" } as const;
/** Cache hint for what depends on the credential's scopes, so that shared caches must not store it. */
const FOR_CALLER = { ttlMs: 300_000, cacheScope: "private" } as const;

/** Creates a server of the Model Context Protocol for one caller, in any revision and over any transport. */
export function createMcpServer(ports: McpServerPorts): McpServer {
  const { listed, perform } = toolCalls(ports);
  const listChanged = ports.toolsChange ? { listChanged: true } : {};
  const server = new Server(
    { name: "toolplane", title: "Toolplane", version: packageVersion },
    {
      capabilities: {
        tools: listChanged,
        prompts: {},
        resources: {},
        ...(ports.tasks && { extensions: { [TASKS]: {} } }),
      },
      instructions: INSTRUCTIONS,
      cacheHints: {
        "server/discover": FOR_ALL,
        "tools/list": FOR_CALLER,
        "prompts/list": FOR_CALLER,
        "resources/list": FOR_ALL,
        "resources/templates/list": FOR_ALL,
        "resources/read": FOR_ALL,
      },
      // Validates answers to elicitations, which this server never requests. The default validator costs a
      // millisecond per request.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "nothing was asked" }),
      },
    },
  );
  const running = new Set<Promise<unknown>>();

  function awaited<T>(answer: Promise<T>): Promise<T> {
    const settled = answer.then(
      () => {},
      () => {},
    );
    running.add(settled);
    void settled.then(() => running.delete(settled));
    return answer;
  }

  async function callable(): Promise<ReadonlySet<string>> {
    return new Set((await listed()).map(({ name }) => name));
  }

  server.setRequestHandler("tools/list", { params: ListParams }, () =>
    awaited(listed().then((tools) => ({ tools: tools.map(({ definition }) => definition) }))),
  );
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
    awaited(perform(params.name, params.arguments ?? {}, mcpReq)),
  );
  server.setRequestHandler("prompts/list", { params: ListParams }, () =>
    awaited(callable().then((tools) => ({ prompts: promptsWith(tools) }))),
  );
  server.setRequestHandler("prompts/get", { params: PromptParams }, ({ name, arguments: given }) =>
    awaited(callable().then((tools) => promptNamed(name, given, tools))),
  );
  server.setRequestHandler("resources/list", { params: ListParams }, () => ({ resources: RESOURCES }));
  server.setRequestHandler("resources/templates/list", { params: ListParams }, () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }));
  if (ports.tasks) serveTasks(server, ports.tasks);
  server.setRequestHandler("resources/read", { params: ReadParams }, ({ uri }) => readResource(uri));

  return {
    server,
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

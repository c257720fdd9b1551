import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Scope } from "../contract/caller.ts";
import { PROBLEMS } from "../contract/problem.ts";
import { packageVersion } from "../system/package.ts";
import { describeArguments, faultsOfArguments } from "./arguments.ts";
import { allTools } from "./choice.ts";
import { nearNames } from "./near-names.ts";
import { errorResult, type Failure, type Outcome, resultOf } from "./outcome.ts";
import { mayCall, type Tool } from "./tool.ts";

export interface Call {
  tool: Tool;
  /** Checked against the tool's input. */
  given: Readonly<Record<string, unknown>>;
  /** Aborts when the client cancels the call or goes away. */
  signal: AbortSignal;
}

export interface McpServerPorts {
  /** What was chosen. */
  tools: readonly Tool[];
  /** What could have been; the product's own unless said. */
  known?: readonly Tool[];
  /** False for what is known to whoever calls it all the same. */
  isListed?: (tool: Tool) => boolean;
  /**
   * What the caller's credential may do: nothing else is listed or called. Asked for with each list and
   * call; undefined while it is not known.
   */
  scopes: () => readonly Scope[] | undefined | Promise<readonly Scope[] | undefined>;
  /** Performs a call; whatever goes wrong is an outcome. */
  call: (call: Call) => Promise<Outcome>;
  /** True where what is listed may change while a client is connected. */
  toolsChange?: boolean;
  /** Says every so often that a call still goes on; returns what stops it. Absent where nobody would hear it. */
  every?: (ms: number, work: () => void) => () => void;
}

export interface McpServer {
  server: Server;
  /** Resolves once every call that has begun has its answer. */
  idle(): Promise<void>;
}

/** After so long somebody wonders; … */
const PROGRESS_MS = 400;
/** … then they are told at every fifth tick. */
const TICKS = 5;

/** As much as the SDK needs to route by: what its own schemas refuse it answers as an internal error. */
const List = z.looseObject({ method: z.literal("tools/list") });
const CallTool = z.looseObject({ method: z.literal("tools/call") });

const INSTRUCTIONS = [
  "Tools of a Toolplane server. What they keep is kept by project.",
  "An answer with isError says what to mend; where arguments are wrong, nothing was done.",
].join(" ");

/** Speaks the Model Context Protocol for one caller, over whichever transport it is connected to. */
export function createMcpServer(ports: McpServerPorts): McpServer {
  const { tools, scopes, call, isListed = () => true, toolsChange = false, every } = ports;
  const server = new Server(
    { name: "toolplane", title: "Toolplane", version: packageVersion },
    {
      capabilities: { tools: toolsChange ? { listChanged: true } : {} },
      instructions: INSTRUCTIONS,
      // Of answers to questions of ours, of which there are none: the default costs a millisecond a request.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "nothing was asked" }),
      },
    },
  );
  const running = new Set<Promise<unknown>>();

  server.setRequestHandler(List, async () => {
    const held = await scopes();
    const offered = tools.filter((tool) => isListed(tool) && (held === undefined || mayCall(tool, held)));
    return { tools: offered.map(({ definition }) => ({ ...definition })) };
  });

  // The SDK refuses what is no call, with the right error, before this.
  server.setRequestHandler(CallTool, (request, { signal, _meta, sendNotification }) => {
    const { params } = CallToolRequestSchema.parse(request);
    const token = _meta?.progressToken;
    let ticks = 0;
    const stop =
      token === undefined || !every
        ? undefined
        : every(PROGRESS_MS, () => {
            if (ticks++ % TICKS > 0) return;
            const progress = (ticks * PROGRESS_MS) / 1000;
            const params = { progressToken: token, progress, message: `${progress} s` };
            sendNotification({ method: "notifications/progress", params }).catch(() => {});
          });
    const answer = perform(params.name, params.arguments ?? {}, signal).finally(() => stop?.());
    const settled = answer.then(
      () => {},
      () => {},
    );
    running.add(settled);
    void settled.then(() => running.delete(settled));
    return answer;
  });

  async function perform(
    name: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    const tool = tools.find((each) => each.name === name);
    if (!tool)
      throw new McpError(ErrorCode.InvalidParams, unknownTool(name, tools, ports.known ?? allTools()));
    const held = await scopes();
    if (held && !mayCall(tool, held)) return errorResult(lacksScope(tool, held));
    const faults = faultsOfArguments(tool, given);
    if (faults.length === 0) return resultOf(await call({ tool, given, signal }));
    return errorResult({
      error: "invalid_arguments",
      title: "Wrong arguments",
      message: `${name} was not called.`,
      faults,
      next: describeArguments(tool),
    });
  }

  return {
    server,
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function lacksScope({ name, endpoint }: Tool, held: readonly Scope[]): Failure {
  return {
    error: "insufficient_scope",
    title: PROBLEMS.insufficient_scope.title,
    message: `${name} needs the scope "${endpoint?.scope}"; the credential has "${held.join(" ")}".`,
    next: PROBLEMS.insufficient_scope.remedy,
  };
}

function unknownTool(name: string, chosen: readonly Tool[], known: readonly Tool[]): string {
  const shown = `"${name.slice(0, 128)}"`;
  if (known.some((tool) => tool.name === name)) {
    return `Unknown tool: ${shown} is not among those chosen for this session (--tools, or ?tools=).`;
  }
  const near = nearNames(
    name,
    chosen.map((tool) => tool.name),
  );
  return `Unknown tool: ${shown}${near.length > 0 ? `; did you mean ${near.join(" or ")}?` : ""}`;
}

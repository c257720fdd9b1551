import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Scope } from "../contract/caller.ts";
import { nearNames, questionOf } from "../contract/near-names.ts";
import { PROBLEMS } from "../contract/problem.ts";
import { describeArguments, faultsOfArguments } from "./arguments.ts";
import { allTools } from "./choice.ts";
import { errorResult, type Failure, type Outcome, resultOf } from "./outcome.ts";
import { takesTasks } from "./tasks.ts";
import { mayCall, type Tool } from "./tool.ts";
import { withTruthAsText } from "./truth-values.ts";

export interface Call {
  tool: Tool;
  /** The arguments, validated against the tool's input. */
  given: Readonly<Record<string, unknown>>;
  /** Aborts when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Whether the client accepts a task in place of an answer. */
  mayDefer: boolean;
}

export interface ToolCallPorts {
  /** The tools chosen for the session. */
  tools: readonly Tool[];
  /** The tools to choose from; the product's own by default. */
  known?: readonly Tool[];
  /** False for a tool that can be called but is not listed. */
  isListed?: (tool: Tool) => boolean;
  /**
   * Returns the scopes of the caller's credential, which decide what is listed and callable. Called for each list and
   * call. Returns undefined while they are unknown.
   */
  scopes: () => readonly Scope[] | undefined | Promise<readonly Scope[] | undefined>;
  /** Performs a call. Failures are returned as an outcome. */
  call: (call: Call) => Promise<Outcome>;
  /** Starts a timer for progress notifications. Returns a function that stops it. */
  every: (ms: number, work: () => void) => () => void;
}

export interface ToolCalls {
  /** Returns the tools that the caller may call, in the order of the API. */
  listed(): Promise<Tool[]>;
  /**
   * Performs a call. Throws `ProtocolError` for an unknown tool; other failures are results that the agent can act
   * on.
   */
  perform(
    name: string,
    given: Record<string, unknown>,
    request: ServerContext["mcpReq"],
  ): Promise<CallToolResult>;
}

/** Interval of the timer. Progress is first reported after one interval. */
const PROGRESS_MS = 400;
/** Number of intervals between two progress reports. */
const TICKS = 5;

export function toolCalls(ports: ToolCallPorts): ToolCalls {
  const { tools, scopes, call, isListed = () => true, every } = ports;

  async function answer(
    name: string,
    given: Record<string, unknown>,
    { signal, mayDefer }: Pick<Call, "signal" | "mayDefer">,
  ): Promise<CallToolResult> {
    const tool = tools.find((each) => each.name === name);
    if (!tool) {
      const message = unknownTool(name, tools, ports.known ?? allTools());
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    const held = await scopes();
    if (held && !mayCall(tool, held)) return errorResult(lacksScope(tool, held));
    const taken = withTruthAsText(tool.input, given);
    const faults = faultsOfArguments(tool, taken);
    if (faults.length === 0) return resultOf(await call({ tool, given: taken, signal, mayDefer }));
    return errorResult({
      error: "invalid_arguments",
      title: "Wrong arguments",
      message: `${name} was not called.`,
      faults,
      next: describeArguments(tool),
    });
  }

  /**
   * Reports the seconds a call has been running, if its client asked for progress. Returns a function that stops it.
   */
  function tellProgress(name: string, { _meta, notify }: ServerContext["mcpReq"]): () => void {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return () => {};
    let ticks = 0;
    return every(PROGRESS_MS, () => {
      if (ticks++ % TICKS > 0) return;
      const progress = (ticks * PROGRESS_MS) / 1000;
      const params = { progressToken, progress, message: `${name}: ${progress} s` };
      notify({ method: "notifications/progress", params }).catch(() => {});
    });
  }

  return {
    async listed() {
      const held = await scopes();
      return tools.filter((tool) => isListed(tool) && (held === undefined || mayCall(tool, held)));
    },
    perform(name, given, request) {
      const stop = tellProgress(name, request);
      const { signal } = request;
      return answer(name, given, { signal, mayDefer: takesTasks(request) }).finally(stop);
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
  return `Unknown tool: ${shown}${questionOf(near)}`;
}

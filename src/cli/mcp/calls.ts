import type { Route, RouteInput, RouteOutput } from "../../client/routes.ts";
import { PROBLEMS, Problem } from "../../contract/problem.ts";
import type { LocalRoute } from "../../local/endpoints.ts";
import type { Failure, Outcome } from "../../mcp/outcome.ts";
import type { Call } from "../../mcp/tool-calls.ts";
import { type Asked, askTool, COMPUTE_TIMEOUT_MS } from "../ask-tool.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../describe-failure.ts";
import { recordUse } from "../record-use.ts";

/** Calls a tool as the commands do, and records the use. Throws what the client throws. */
export async function answerCall(context: Context, { tool, given, signal }: Call): Promise<Outcome> {
  if (!tool.endpoint) throw new Error(`${tool.name} is no call to a tool`);
  const { isLocal } = await import("../../local/endpoints.ts");
  const route = `${tool.endpoint.method} ${tool.endpoint.path}` as Route;
  const input = given as RouteInput<Route>;
  const { answer, isRecorded } = isLocal(route)
    ? await askTool(context, route, input as RouteInput<LocalRoute>, { signal })
    : await askServer(context, route, input, signal);
  if (isRecorded) await recordUse(context, "mcp.tool.call", tool.endpoint.name);
  return { text: answer === undefined ? "" : JSON.stringify(answer) };
}

async function askServer<R extends Route>(
  { client }: Context,
  route: R,
  input: RouteInput<R>,
  signal: AbortSignal,
): Promise<Asked<RouteOutput<R>>> {
  const { body } = await client.answer(route, input, { signal, timeoutMs: COMPUTE_TIMEOUT_MS });
  return { answer: body, isRecorded: true };
}

/** Returns an error as the commands describe it, with what to do about it. */
export function failureOf(error: unknown): Failure {
  const { exitCode: _, ...failure } = describeFailure(error);
  if (!(error instanceof Problem)) return failure;
  return { ...failure, title: error.title, next: failure.next ?? PROBLEMS[error.error].remedy };
}

import type { Route, RouteInput } from "../../client/routes.ts";
import { PROBLEMS, Problem } from "../../contract/problem.ts";
import type { Failure, Outcome } from "../../mcp/outcome.ts";
import type { Call } from "../../mcp/server.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../exit-codes.ts";
import { recordUse } from "../record-use.ts";

/** Longer than any tool computes; the agent may give up earlier. */
const TIMEOUT_MS = 120_000;

/** Calls the server as the commands do, and notes the use. Throws what the client throws. */
export async function callServer(context: Context, { tool, given, signal }: Call): Promise<Outcome> {
  if (!tool.endpoint) throw new Error(`${tool.name} is no call to the server`);
  const { method, path } = tool.endpoint;
  const { body } = await context.client.answer(`${method} ${path}` as Route, given as RouteInput<Route>, {
    signal,
    timeoutMs: TIMEOUT_MS,
  });
  recordUse(context, "mcp.tool.call");
  return { text: body === undefined ? "" : JSON.stringify(body) };
}

/** In the words of the commands, with what to do about it. */
export function failureOf(error: unknown): Failure {
  const { exitCode: _, ...failure } = describeFailure(error);
  if (!(error instanceof Problem)) return failure;
  return { ...failure, title: error.title, next: failure.next ?? PROBLEMS[error.error].remedy };
}

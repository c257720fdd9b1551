import type { Problem } from "../contract/problem.ts";
import type { Lack } from "./gates.ts";
import type { Message } from "./message.ts";
import { errorText, RPC, type RpcError, resultText, toolError } from "./rpc.ts";

export interface GatewayAnswer {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | AsyncIterable<Buffer>;
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** Answers with a result made here instead of the upstream's. */
export function ownResult(message: Message, result: Record<string, unknown>): GatewayAnswer {
  return { status: 200, headers: { ...JSON_TYPE }, body: resultText(message.id, result) };
}

/** Answers that the plan lacks something, and names the plan that has it. */
export function refusal(
  message: Message,
  { gate, message: words, requiredPlan, upgradeUrl }: Lack,
  stateless: boolean,
): GatewayAnswer {
  const about = { gate, requiredPlan, upgradeUrl };
  if (message.method === "tools/call") {
    return ownResult(message, toolError(words, { stateless, about: { "toolplane/plan": about } }));
  }
  return failed(200, message, { code: RPC.invalidParams, message: words, data: about });
}

/** Answers that the account has used up what its plan includes. */
export function usedUp(message: Message, { detail, extras }: Problem, stateless: boolean): GatewayAnswer {
  return ownResult(message, toolError(detail, { stateless, about: { "toolplane/plan": extras.members } }));
}

/** Ends a request that gets no response (MCP 2025-11-25, Cancellation): a stream of no messages. */
export function unanswered(): GatewayAnswer {
  return { status: 200, headers: { "Content-Type": "text/event-stream" }, body: "" };
}

/** Answers with a protocol error under the HTTP status that belongs to it. */
export function failed(status: number, message: Message | undefined, error: RpcError): GatewayAnswer {
  return { status, headers: { ...JSON_TYPE }, body: errorText(message?.id, error) };
}

import { hash } from "node:crypto";
import type { Account } from "../../accounts/model.ts";
import { PROBLEMS, type ProblemCode } from "../../contract/problem.ts";
import { isResultAlone } from "../../mcp/json-schema.ts";
import { type Failure as CallFailure, MAX_ANSWER_BYTES, type Outcome, tooLong } from "../../mcp/outcome.ts";
import type { Call } from "../../mcp/tool-calls.ts";
import type { Windows } from "../../metering/limits/windows.ts";
import type { Log } from "../../system/log.ts";
import { wait } from "../../text/amounts.ts";
import type { ApiOperation } from "../operations/api-operation.ts";
import { mostBytesOf } from "../operations/api-route.ts";
import { callerOf } from "../operations/request-caller.ts";
import type { Answer } from "../pipeline/answer.ts";
import type { LimitEnforcer } from "../pipeline/enforce-limits.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Failure } from "../pipeline/failure.ts";
import { tooLarge } from "../pipeline/request-body.ts";
import type { McpTasks } from "./mcp-tasks.ts";
import type { McpUsage } from "./mcp-usage.ts";

export interface McpCallPorts {
  operations: ReadonlyMap<string, ApiOperation>;
  windows: Windows;
  enforcer: LimitEnforcer;
  failure: Failure;
  usage: McpUsage;
  tasks: McpTasks;
  log: Log;
}

/**
 * Returns a function that performs tool calls as the API would: with the endpoint's own limit, validation,
 * idempotency and handler. The HTTP request has already been counted in the windows of every request.
 */
export function mcpCalls(
  ports: McpCallPorts,
  exchange: Exchange,
  { account, messageBytes }: { account: Account; messageBytes: number },
) {
  const { operations, windows, enforcer, failure, log } = ports;

  return async function call({ tool, given, mayDefer }: Call): Promise<Outcome> {
    const operation = operations.get(tool.endpoint?.name ?? "");
    if (!operation) throw new Error(`${tool.name} calls no endpoint of this server`);
    const defers = mayDefer && operation.endpoint.compute !== undefined;
    return defers
      ? ports.tasks.run(exchange, (signal) => perform(operation, given, { ...exchange, signal }))
      : perform(operation, given, exchange);
  };

  async function perform(
    operation: ApiOperation,
    given: Call["given"],
    exchange: Exchange,
  ): Promise<Outcome> {
    const { name, output } = operation.endpoint;
    const mostBytes = mostBytesOf(operation.endpoint);
    let giveBack = () => {};
    try {
      if (messageBytes > mostBytes) throw tooLarge(mostBytes);
      const set = windows.ofEndpoint(account, name);
      // On a copy of the exchange: its limit headers describe the windows of every request.
      if (set) await enforcer.admit({ ...exchange, endpoint: name }, set);
      giveBack = await ports.usage.reserve(account.id);
      const key = exchange.req.headers["idempotency-key"];
      const body = () => Buffer.from(JSON.stringify(given));
      const answer = await operation.perform(exchange, {
        members: () => given,
        body,
        contentType: "application/json",
        idempotency:
          typeof key === "string" ? { key, digest: () => hash("sha256", body(), "base64url") } : undefined,
        accept: "application/json",
      });
      await count(name);
      return await outcomeOf(answer, isResultAlone(output));
    } catch (error) {
      return { failure: failureOf(answerTo(error, exchange)) };
    } finally {
      giveBack();
    }
  }

  /** Returns the answer to an error, or that it cannot be told: a tool's problem may have members that are no JSON. */
  function answerTo(error: unknown, exchange: Exchange): Answer {
    try {
      return failure(exchange, error, "problem");
    } catch (untold) {
      return failure(exchange, untold, "problem");
    }
  }

  /** Counts a call. If that fails, the call does not, since its effect has taken place. */
  async function count(endpoint: string): Promise<void> {
    try {
      await ports.usage.count(callerOf(exchange, undefined), endpoint);
    } catch (error) {
      log.warn({ requestId: exchange.requestId, err: error }, "an MCP call was not counted");
    }
  }
}

async function outcomeOf({ headers, body = "" }: Answer, isResult: boolean): Promise<Outcome> {
  const type = headers["Content-Type"];
  const text = await textOf(body);
  if (text === undefined) return { failure: tooLong };
  if (type === undefined || /\bjson\b/.test(type)) return { text, isResult };
  // The text of a tool that always answers in another form: agents are told of it as a `result`, or cannot be.
  if (isResult) return { text: JSON.stringify(text), isResult };
  return { failure: { error: "no_json", message: `The answer is ${type}: it can be had over HTTP alone.` } };
}

/** Returns undefined where an answer is longer than agents can use. */
async function textOf(body: NonNullable<Answer["body"]>): Promise<string | undefined> {
  if (typeof body === "string" || Buffer.isBuffer(body)) return body.toString();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(Buffer.from(piece));
    length += pieces.at(-1)?.length ?? 0;
    if (length > MAX_ANSWER_BYTES) return undefined;
  }
  return Buffer.concat(pieces).toString();
}

/** Converts the problem that the same request would have got over HTTP. */
function failureOf({ headers, body }: Answer): CallFailure {
  const problem = JSON.parse(String(body));
  const seconds = headers["Retry-After"];
  return {
    error: problem.error,
    title: problem.title,
    message: problem.detail,
    // An agent sees no header, so a remedy that names one tells it nothing.
    next:
      seconds === undefined
        ? PROBLEMS[problem.error as ProblemCode]?.remedy
        : `Try again after ${wait(1000 * Number(seconds))}.`,
    faults: problem.errors,
    requestId: problem.instance,
  };
}

import type { z } from "zod";
import type { Account } from "../accounts/model.ts";
import type { Work } from "../contract/compute.ts";
import {
  type AnyHandler,
  type ComputedEndpoint,
  type Endpoint,
  type Handler,
  Reply,
} from "../contract/endpoint.ts";
import { faultsOf, invalidRequest } from "../contract/faults.ts";
import { GLOBAL, projectSpace } from "../store/store.ts";
import { type Answer, JSON_TYPE } from "./answer.ts";
import type { ComputeBounds } from "./compute/allowance.ts";
import type { WorkerPool } from "./compute/pool.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Exchange } from "./exchange.ts";
import type { createIdempotency } from "./idempotency.ts";
import { callerOf } from "./request-caller.ts";

export interface ApiOperationPorts {
  idempotency: ReturnType<typeof createIdempotency>;
  eventStreams: Pick<EventStreams, "open">;
  workers: Pick<WorkerPool, "run">;
  boundsOf: (account: Account) => ComputeBounds;
  /** Holds every answer against its declared schema: in tests and development. */
  checkOutputs: boolean;
}

/** What is asked of an endpoint, whether it came as a request of its own or as a call over MCP. */
export interface Submission {
  /** The flat input, unchecked; may throw a `Problem`. */
  members: () => Record<string, unknown>;
  /** The body, for endpoints that compute. */
  body: () => Buffer;
  contentType: string | undefined;
  /** SHA-256 of the body: what an `Idempotency-Key` is held to. */
  digest: () => string;
  idempotencyKey?: string | undefined;
  /** The media types that the answer may have. */
  accept?: string | undefined;
}

/** A declared endpoint with its handler, behind authentication, limits and scope. */
export interface ApiOperation {
  endpoint: Endpoint;
  perform(exchange: Exchange, submission: Submission): Promise<Answer>;
}

export function apiOperation(
  endpoint: Endpoint,
  handler: AnyHandler,
  ports: ApiOperationPorts,
): ApiOperation {
  const input = endpoint.input.strict();
  const { compute } = endpoint;
  const projectInPath = endpoint.path.includes("{projectId}");

  /** What a job is asked, and by whom. */
  function workOf(exchange: Exchange, signal: AbortSignal, { body, contentType }: Submission): Work {
    const { account } = exchange.identity ?? {};
    if (!account || !compute) throw new Error(`${endpoint.name} computes for callers with an account alone`);
    const request = { account: account.id, bounds: ports.boundsOf(account), job: endpoint.name };
    return {
      run: (options) =>
        ports.workers.run({
          ...request,
          ...options,
          pace: compute,
          body: body(),
          contentType,
          signal,
        }) as Promise<never>,
    };
  }

  async function answer(exchange: Exchange, submission: Submission): Promise<Answer> {
    const { members, accept } = submission;
    if (compute) {
      const caller = callerOf(exchange, undefined, accept);
      return answerOf(
        await (handler as Handler<ComputedEndpoint>)(workOf(exchange, caller.signal, submission), caller),
      );
    }
    const parsed = input.safeParse(members());
    if (!parsed.success) throw invalidRequest(faultsOf(parsed.error));
    const named = projectInPath ? undefined : (parsed.data as { projectId?: unknown }).projectId;
    const result = await (handler as Handler)(parsed.data, callerOf(exchange, named, accept));
    const events = result instanceof Reply ? result.extras.events : undefined;
    return events ? ports.eventStreams.open(exchange, events) : answerOf(result);
  }

  function answerOf(result: unknown): Answer {
    const reply = result instanceof Reply ? result : new Reply(result);
    const { status = endpoint.status ?? 200, headers = {}, raw } = reply.extras;
    if (raw !== undefined) {
      if (ports.checkOutputs && headers["Content-Type"] === undefined) checkRaw(endpoint, raw);
      return { status, headers: { "Content-Type": JSON_TYPE, ...headers }, body: raw };
    }
    if (status === 204) return { status, headers };
    if (ports.checkOutputs) checkOutput(endpoint, reply.body);
    return { status, headers: { "Content-Type": JSON_TYPE, ...headers }, body: JSON.stringify(reply.body) };
  }

  return {
    endpoint,
    perform(exchange, submission) {
      const key = endpoint.idempotent ? submission.idempotencyKey : undefined;
      if (key === undefined) return answer(exchange, submission);
      const { accountId, projectId } = exchange.identity
        ? callerOf(exchange, undefined)
        : { accountId: GLOBAL, projectId: "default" };
      return ports.idempotency.once({
        space: projectSpace(accountId, projectId),
        endpoint: endpoint.name,
        key,
        digest: submission.digest,
        run: () => answer(exchange, submission),
        restore: answerOf,
      });
    },
  };
}

function checkRaw(endpoint: Endpoint, raw: NonNullable<Reply["extras"]["raw"]>): void {
  if (typeof raw === "string" || Buffer.isBuffer(raw)) checkOutput(endpoint, JSON.parse(raw.toString()));
}

function checkOutput(endpoint: Endpoint, body: unknown): void {
  const checked: z.ZodSafeParseResult<unknown> = endpoint.output.safeParse(body);
  if (!checked.success) {
    throw new Error(
      `${endpoint.name} answered against its schema: ${JSON.stringify(faultsOf(checked.error))}`,
    );
  }
}

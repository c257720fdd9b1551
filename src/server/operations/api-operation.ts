import { AsyncResource } from "node:async_hooks";
import type { Account } from "../../accounts/model.ts";
import type { Work, WorkOptions } from "../../contract/compute.ts";
import { type ComputedEndpoint, type Endpoint, type Handler, Reply } from "../../contract/endpoint.ts";
import { checked } from "../../contract/faults.ts";
import { GLOBAL, projectSpace } from "../../store/store.ts";
import { othersFirst } from "../../system/others-first.ts";
import type { ComputeBounds } from "../compute/allowance.ts";
import type { WorkerPool } from "../compute/pool.ts";
import { type Answer, headersGiven, JSON_TYPE } from "../pipeline/answer.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { Answering, type ReplayRecord } from "./answering.ts";
import {
  checkingEvents,
  checkKind,
  checkOutput,
  checkRaw,
  requireData,
  requireFollowable,
  requireSendable,
} from "./check-answer.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Handled } from "./handlers.ts";
import type { createIdempotency } from "./idempotency.ts";
import { callerOf } from "./request-caller.ts";

export interface ApiOperationPorts {
  idempotency: Pick<ReturnType<typeof createIdempotency>, "once">;
  eventStreams: Pick<EventStreams, "open">;
  workers: Pick<WorkerPool, "run">;
  boundsOf: (account: Account) => ComputeBounds;
  /** Whether to check every answer against its declared schema: in tests and development. */
  checkOutputs: boolean;
}

/** The input of an operation, which came as a request of its own or as a call over MCP. */
export interface Submission {
  /** Returns the flat input, not validated; may throw a `Problem`. */
  members: () => Record<string, unknown>;
  /** Returns the body, for endpoints that compute. */
  body: () => Buffer;
  /** Whether to yield to the event loop between parsing and handling the input. */
  isLong?: boolean;
  contentType: string | undefined;
  /** The `Idempotency-Key`, if one was sent, and a digest of the input that it stands for. */
  idempotency?: { key: string; digest: () => string } | undefined;
  /** The media types that the client accepts. */
  accept?: string | undefined;
}

/** A declared endpoint with its handler. Authentication, limits and scope are checked before it. */
export interface ApiOperation {
  endpoint: Endpoint;
  perform(exchange: Exchange, submission: Submission): Promise<Answer>;
}

export function apiOperation({ endpoint, handler, job }: Handled, ports: ApiOperationPorts): ApiOperation {
  const input = endpoint.input.strict();
  const { compute } = endpoint;
  const projectInPath = endpoint.path.includes("{projectId}");
  const isTool = endpoint.path.startsWith("/api/v1/tools/");

  /** Returns what runs the endpoint's job on behalf of the caller's account. */
  function workOf(exchange: Exchange, signal: AbortSignal, { body, contentType }: Submission): Work {
    const { account } = exchange.identity ?? {};
    if (!account || !compute || !job)
      throw new Error(`${endpoint.name} computes for callers with an account alone`);
    const bounds = ports.boundsOf(account);
    const request = { account: account.id, bounds, job: endpoint.name, module: job };
    return {
      // Authors who write JavaScript may leave the options out: a job without context needs none.
      run: (options = {} as WorkOptions<never>) =>
        ports.workers.run({
          ...request,
          ...options,
          answers: inThisContext(options.answers),
          pace: compute,
          body: body(),
          contentType,
          signal,
        }) as Promise<never>,
    };
  }

  /** Validates the input and calls the handler. Not async, since it is on the hot path of every request. */
  function handled(exchange: Exchange, submission: Submission, answering?: Answering): Promise<unknown> {
    const { members, accept } = submission;
    if (compute) {
      const caller = callerOf(exchange, undefined, accept, answering);
      return (handler as Handler<ComputedEndpoint>)(workOf(exchange, caller.signal, submission), caller);
    }
    const given = checked(input, members());
    const named = projectInPath ? undefined : (given as { projectId?: unknown }).projectId;
    const handle = () => (handler as Handler)(given, callerOf(exchange, named, accept, answering));
    return submission.isLong ? othersFirst().then(handle) : handle();
  }

  async function answer(exchange: Exchange, submission: Submission): Promise<Answer> {
    const result = await handled(exchange, submission);
    const events = result instanceof Reply ? result.extras.events : undefined;
    if (!events) return answerOf(result);
    requireFollowable(endpoint, events);
    return ports.eventStreams.open(exchange, ports.checkOutputs ? checkingEvents(endpoint, events) : events);
  }

  function answerOf(result: unknown): Answer {
    const reply = result instanceof Reply ? result : new Reply(result);
    const { status = endpoint.status ?? 200, headers: given, raw, holds } = reply.extras;
    const headers = given && isTool ? headersGiven(given) : (given ?? {});
    if (ports.checkOutputs) checkKind(endpoint, status, headers);
    if (status === 204) return { status, headers };
    if (raw !== undefined) {
      requireSendable(endpoint, raw);
      if (ports.checkOutputs && headers["Content-Type"] === undefined) checkRaw(endpoint, raw);
      const all = { "Content-Type": JSON_TYPE, ...headers };
      return { status, headers: all, body: raw, ...(holds !== undefined && { holds }) };
    }
    if (ports.checkOutputs) checkOutput(endpoint, reply.body);
    const body = JSON.stringify(reply.body);
    if (body === undefined || body === "{}") requireData(endpoint, reply.body, status);
    return { status, headers: { "Content-Type": JSON_TYPE, ...headers }, body };
  }

  /** Runs the handler and commits its answer together with its effect. Without `keep`, checks that this would work. */
  function answering(exchange: Exchange, submission: Submission, keep: ReplayRecord | undefined) {
    const { checkOutputs: strict } = ports;
    const answering = new Answering({ endpoint: endpoint.name, render: answerOf, keep, strict });
    return answering.run(() => handled(exchange, submission, answering));
  }

  function check({ status, body = "" }: Answer): void {
    if (ports.checkOutputs && status !== 204) checkOutput(endpoint, JSON.parse(body.toString()));
  }

  const repeatable = endpoint.idempotent === "repeatable";
  const strict = ports.checkOutputs && endpoint.idempotent === true;

  return {
    endpoint,
    perform(exchange, submission) {
      const given = endpoint.idempotent ? submission.idempotency : undefined;
      if (given === undefined) {
        if (!strict) return answer(exchange, submission);
        return answering(exchange, submission, undefined).then((run) => run.answer);
      }
      const { accountId, projectId } = exchange.identity
        ? callerOf(exchange, undefined)
        : { accountId: GLOBAL, projectId: "default" };
      return ports.idempotency.once({
        space: projectSpace(accountId, projectId),
        endpoint: endpoint.name,
        ...given,
        repeatable,
        sealed: endpoint.answersSecret === true,
        run: async (keep) =>
          keep
            ? answering(exchange, submission, keep)
            : { answer: await answer(exchange, submission), committed: false },
        check,
      });
    },
  };
}

/**
 * Binds the answers to a job's questions to the async context of this request, since the questions arrive outside it.
 */
function inThisContext(answers: WorkOptions<never>["answers"] = {}): typeof answers {
  return Object.fromEntries(
    Object.entries(answers).map(([question, answer]) => [
      question,
      AsyncResource.bind((payload) => answer(payload as never)),
    ]),
  );
}

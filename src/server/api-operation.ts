import type { z } from "zod";
import { type Endpoint, type Handler, Reply } from "../contract/endpoint.ts";
import { faultsOf, invalidRequest } from "../contract/faults.ts";
import { GLOBAL, projectSpace } from "../store/store.ts";
import { type Answer, JSON_TYPE } from "./answer.ts";
import { Answering } from "./answering.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Exchange } from "./exchange.ts";
import type { createIdempotency, Keep } from "./idempotency.ts";
import { callerOf } from "./request-caller.ts";

export interface ApiOperationPorts {
  idempotency: Pick<ReturnType<typeof createIdempotency>, "once">;
  eventStreams: Pick<EventStreams, "open">;
  /** Holds every answer against its declared schema: in tests and development. */
  checkOutputs: boolean;
}

/** What is asked of an endpoint, whether it came as a request of its own or as a call over MCP. */
export interface Submission {
  /** The flat input, unchecked; may throw a `Problem`. */
  members: () => Record<string, unknown>;
  /** The `Idempotency-Key`, where one came, and a digest of the body that it is held to. */
  idempotency?: { key: string; digest: () => string } | undefined;
  /** The media types that the answer may have. */
  accept?: string | undefined;
}

/** A declared endpoint with its handler, behind authentication, limits and scope. */
export interface ApiOperation {
  endpoint: Endpoint;
  perform(exchange: Exchange, submission: Submission): Promise<Answer>;
}

export function apiOperation(endpoint: Endpoint, handler: Handler, ports: ApiOperationPorts): ApiOperation {
  const input = endpoint.input.strict();
  const projectInPath = endpoint.path.includes("{projectId}");

  /** Not async: it stands in the way of every request. */
  function handled(exchange: Exchange, { members, accept }: Submission): Promise<unknown> {
    const parsed = input.safeParse(members());
    if (!parsed.success) throw invalidRequest(faultsOf(parsed.error));
    const named = projectInPath ? undefined : (parsed.data as { projectId?: unknown }).projectId;
    return handler(parsed.data, callerOf(exchange, named, accept));
  }

  async function answer(exchange: Exchange, submission: Submission): Promise<Answer> {
    const result = await handled(exchange, submission);
    const events = result instanceof Reply ? result.extras.events : undefined;
    return events ? ports.eventStreams.open(exchange, events) : answerOf(result);
  }

  function answerOf(result: unknown): Answer {
    const reply = result instanceof Reply ? result : new Reply(result);
    const { status = endpoint.status ?? 200, headers = {}, raw } = reply.extras;
    if (raw !== undefined) return { status, headers: { "Content-Type": JSON_TYPE, ...headers }, body: raw };
    if (status === 204) return { status, headers };
    if (ports.checkOutputs) checkOutput(endpoint, reply.body);
    return { status, headers: { "Content-Type": JSON_TYPE, ...headers }, body: JSON.stringify(reply.body) };
  }

  /** Commits the answer with what the handler does, or, where nothing is kept, makes sure that it could be. */
  function answering(exchange: Exchange, submission: Submission, keep: Keep | undefined) {
    const { checkOutputs: strict } = ports;
    return new Answering({ endpoint: endpoint.name, render: answerOf, keep, strict }).run(() =>
      handled(exchange, submission),
    );
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
        run: async (keep) =>
          keep
            ? answering(exchange, submission, keep)
            : { answer: await answer(exchange, submission), committed: false },
        check,
      });
    },
  };
}

function checkOutput(endpoint: Endpoint, body: unknown): void {
  const checked: z.ZodSafeParseResult<unknown> = endpoint.output.safeParse(body);
  if (!checked.success) {
    throw new Error(
      `${endpoint.name} answered against its schema: ${JSON.stringify(faultsOf(checked.error))}`,
    );
  }
}
